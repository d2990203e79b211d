# What a compiler may make of take_back without its fence, by hand: a negative test.
take_back:
	movq	128(%rdi), %rax
	movq	$0, (%rsi)
	shrq	$32, %rax
	cmpl	%eax, %esi
	setae	%al
	ret
	.size	take_back, .-take_back
fork_looks:
	movq	%rcx, (%rsi)
	movl	(%rdi), %eax
	ret
	.size	fork_looks, .-fork_looks

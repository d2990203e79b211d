// The same for AArch64, of fork_looks.
take_back:
	str	xzr, [x1]
	ldr	x2, [x0, #128]
	ret
	.size	take_back, .-take_back
fork_looks:
	ldr	w0, [x0]
	stlr	x3, [x1]
	ret
	.size	fork_looks, .-fork_looks

// The programs, as workloads/recursive has them. In a fork the parent runs the first branch itself.
package main

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"strings"
	"sync"
)

type instance struct {
	run   func() any
	right any    // The answer.
	forks uint64 // Branches and children: each has a goroutine.
}

func prepare(name string, set []string) instance {
	parameters := strings.Join(set, " ")
	key, value, _ := strings.Cut(parameters, "=")
	switch name + " " + key {
	case "fib n":
		n := uint64(number(key, value))
		right, next := uint64(0), uint64(1)
		for i := uint64(0); i < n; i++ {
			right, next = next, right+next
		}
		return instance{func() any { return fib(n) }, right, next - 1}
	case "skynet depth":
		leaves := uint64(math.Pow10(int(number(key, value))))
		return instance{func() any { return leafSum(0, leaves) }, leaves * (leaves - 1) / 2, (leaves - 1) / 9 * 10}
	}
	found, is := trees[parameters]
	if name != "uts" || !is {
		fail("%s has fib with n, skynet with depth, and the trees of uts that workloads.go lists", row)
	}
	var message [sha1.Size]byte // Sixteen zeros and the seed.
	binary.BigEndian.PutUint32(message[16:], found.seed)
	root := sha1.Sum(message[:])
	return instance{func() any { return found.search(root, 0) }, found.counts, found.Nodes - 1}
}

// Calls task(i) for each i below count, in a goroutine each, and waits for them.
func spawn(count int, task func(i int)) {
	var children sync.WaitGroup
	children.Add(count)
	for i := 0; i < count; i++ {
		go func(i int) { task(i); children.Done() }(i)
	}
	children.Wait()
}

func fib(n uint64) uint64 {
	if n < 2 {
		return n
	}
	var right uint64
	var other sync.WaitGroup
	other.Add(1)
	go func() { right = fib(n - 2); other.Done() }()
	left := fib(n - 1)
	other.Wait()
	return left + right
}

func leafSum(first, leaves uint64) (total uint64) {
	if leaves == 1 {
		return first
	}
	var sums [10]uint64
	spawn(len(sums), func(i int) { sums[i] = leafSum(first+uint64(i)*(leaves/10), leaves/10) })
	for _, sum := range sums {
		total += sum
	}
	return
}

type counts struct {
	Nodes  uint64 `json:"nodes"`
	Depth  uint64 `json:"depth"`
	Leaves uint64 `json:"leaves"`
}

// A binomial tree, which has a `q`, or a geometric one of fixed shape, and what a search finds.
type tree struct {
	seed            uint32
	depth, b0, q, m float64
	counts
}

// Those of the sizes small and standard.
var trees = map[string]tree{
	"type=geo shape=fixed depth=7 seed=19":  {19, 7, 4, 0, 0, counts{63914, 7, 51124}},
	"type=bin b0=20 seed=42 q=0.124875 m=8": {42, 0, 20, 0.124875, 8, counts{6213, 67, 5438}},
	"tree=T1":                               {19, 10, 4, 0, 0, counts{4130071, 10, 3305118}},
	"tree=T3":                               {42, 0, 2000, 0.124875, 8, counts{4112897, 1572, 3599034}},
}

func (t *tree) children(state []byte, height uint64) float64 {
	uniform := float64(binary.BigEndian.Uint32(state[16:])&0x7fffffff) / (1 << 31)
	switch {
	case t.q == 0 && float64(height) < t.depth:
		return math.Min(math.Log(1-uniform)/math.Log(1-1/(1+t.b0)), 100)
	case t.q > 0 && height == 0:
		return t.b0
	case uniform < t.q:
		return t.m
	}
	return 0
}

// The counts of the subtree under the node with this state: the digest of its parent's and its index.
func (t *tree) search(state [sha1.Size]byte, height uint64) counts {
	found := make([]counts, int(t.children(state[:], height)))
	if len(found) == 0 {
		return counts{1, height, 1}
	}
	spawn(len(found), func(i int) {
		var message [sha1.Size + 4]byte
		binary.BigEndian.PutUint32(message[copy(message[:], state[:]):], uint32(i))
		found[i] = t.search(sha1.Sum(message[:]), height+1)
	})
	sum := counts{Nodes: 1}
	for _, child := range found {
		sum.Nodes, sum.Leaves = sum.Nodes+child.Nodes, sum.Leaves+child.Leaves
		sum.Depth = uint64(math.Max(float64(sum.Depth), float64(child.Depth)))
	}
	return sum
}

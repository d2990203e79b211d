// Go's goroutines as a row: a program that keeps to bench/process.md.
//
// The trap: not only the scheduler differs. Go's compiler, allocator and garbage collector are in every time, and Go's
// SHA-1 in those of uts. So its times say what a user of Go gets; its speedup over one worker compares with that of
// other schedulers. It pins no worker.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type object = map[string]any

var print = json.NewEncoder(os.Stdout).Encode
var row = strings.TrimPrefix(filepath.Base(os.Args[0]), "stealbench-")

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

// The values of options, the last one if there are several; those of --set apart, in their order.
func parse(typed []string) (options map[string]string, set []string) {
	options = map[string]string{"--workers": "1", "--sample-ms": "0"}
	for at, each := range typed {
		name, value, isJoined := strings.Cut(each, "=")
		if !isJoined && at+1 < len(typed) {
			value = typed[at+1]
		}
		if name == "--set" {
			set = append(set, value)
		} else if strings.HasPrefix(name, "--") {
			options[name] = value
		}
	}
	return
}

func number(key, text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value < 0 {
		fail("%s=%s: expected a number of at least 0", key, text)
	}
	return value
}

// One run: seconds by the clock, in user and system mode; context switches, voluntary and forced.
type sample [5]float64

func usage() (used syscall.Rusage) { syscall.Getrusage(syscall.RUSAGE_SELF, &used); return }

func measure(what instance) (cost sample, answer any) {
	before, begin := usage(), time.Now()
	answer = what.run()
	wall, after := time.Since(begin), usage()
	return sample{wall.Seconds(), float64(after.Utime.Nano()-before.Utime.Nano()) / 1e9,
		float64(after.Stime.Nano()-before.Stime.Nano()) / 1e9,
		float64(after.Nvcsw - before.Nvcsw), float64(after.Nivcsw - before.Nivcsw)}, answer
}

// Of the runs after the first: the median of the times by the clock, the mean of the others.
func summary(runs []sample) (of sample) {
	sort.Slice(runs, func(i, j int) bool { return runs[i][0] < runs[j][0] })
	for _, run := range runs {
		for i := range of {
			of[i] += run[i] / float64(len(runs))
		}
	}
	of[0] = (runs[(len(runs)-1)/2][0] + runs[len(runs)/2][0]) / 2
	return
}

func main() {
	options, set := parse(os.Args[1:])
	library := "Go " + strings.TrimPrefix(runtime.Version(), "go")
	if _, is := options["--describe"]; is {
		about := object{"group": "Libraries", "summary": "Go: a goroutine for a forked branch and for each child",
			"paper": "", "bound": "", "compared_with": ""}
		print(object{"scheduler": row, "about": about, "library": library, "settings": []int{}, "counters": []int{}})
		return
	}
	name := options["--workload"]
	workers := int(number("--workers", options["--workers"]))
	runtime.GOMAXPROCS(workers)
	what := prepare(name, set)
	first, answer := measure(what)
	isRight := answer == what.right
	if _, is := options["--once"]; is {
		parameters := object{}
		for _, each := range set {
			key, value, _ := strings.Cut(each, "=")
			parameters[key] = value
		}
		print(object{"workload": name, "scheduler": row, "workers": workers, "parameters": parameters,
			"answer": answer, "verified": isRight, "time_ns": first[0] * 1e9, "counters": nil})
		return
	}
	var runs []sample
	sampled := number("--sample-ms", options["--sample-ms"]) / 1000
	for lasted := 0.0; len(runs) == 0 || lasted < sampled; lasted += runs[len(runs)-1][0] {
		run, answer := measure(what)
		runs, isRight = append(runs, run), isRight && answer == what.right
	}
	mean := summary(runs)
	name = strings.Join(append([]string{name, row}, set...), "/")
	print(object{"context": object{"scheduler_library": library}, "benchmarks": []object{{
		"name":      fmt.Sprintf("%s/workers:%d/manual_time", strings.ReplaceAll(name, "=", ":"), workers),
		"real_time": mean[0], "time_unit": "s", "runs": len(runs), "first_run_seconds": first[0], "start_up_seconds": 0,
		"cpu_seconds": mean[1] + mean[2], "user_seconds": mean[1], "system_seconds": mean[2],
		"voluntary_switches": mean[3], "forced_switches": mean[4], "peak_rss_bytes": usage().Maxrss * 1024,
		"worker_count": workers, "fork_count": what.forks, "error_occurred": !isRight, "error_message": "wrong answer"}}})
}

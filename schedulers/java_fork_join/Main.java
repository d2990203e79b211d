import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/**
 * Java's fork/join pool as a row: a program that keeps to bench/process.md. Called with the row's
 * name before the protocol's arguments.
 *
 * <p>The trap: not only the scheduler differs. Java's compiler and garbage collector are in every
 * time, its SHA-1 in those of uts, and its Arrays.sort in those of mergesort. So its times say what
 * a user of Java gets; its speedup over one worker compares with that of other schedulers. It pins
 * no worker. README.md has the warm-up and Java's options.
 */
final class Main {
  /** The first run is one of them. */
  private static final int MIN_WARM_UP_RUNS = 3;

  /** By the clock, which the compiler needs, and of processor time: a busy machine gives less. */
  private static final double MIN_WARM_UP_SECONDS = 2;

  private static final String SUMMARY =
      "Java's fork/join pool: a RecursiveAction for a forked branch and for each child";

  private static final class Refusal extends RuntimeException {
    Refusal(String message) {
      super(message);
    }
  }

  /** One run: seconds by the clock, and what the process used. */
  private record Sample(double wall, double user, double system, long voluntary, long forced) {}

  private final String row;
  private final Map<String, String> options = new HashMap<>();
  private final List<String> parameters = new ArrayList<>();
  private boolean isRight = true;

  private Main(String[] typed) {
    row = typed[0];
    for (int i = 1; i < typed.length; ++i) {
      String value = i + 1 < typed.length ? typed[i + 1] : "";
      if (typed[i].equals("--set")) {
        parameters.add(value);
      } else if (typed[i].startsWith("--")) {
        options.put(typed[i], value);
      }
    }
  }

  public static void main(String[] typed) {
    try {
      new Main(typed).answer();
    } catch (Refusal error) {
      System.err.println(error.getMessage());
      System.exit(2);
    } catch (IOException | RuntimeException | Error error) {
      System.err.println(error); // In one line, which is the reason that stealbench shows.
      System.exit(1);
    }
  }

  private static String library() {
    return "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.vm.name");
  }

  private int number(String option, String otherwise, int least) {
    String text = options.getOrDefault(option, otherwise);
    int value = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    if (value >= least) return value;
    throw new Refusal(option + " " + text + ": expected an integer of at least " + least);
  }

  private void answer() throws IOException {
    if (options.containsKey("--describe")) {
      System.out.println("{\"scheduler\": \"" + row + "\", \"about\": {\"group\": \"Libraries\", "
          + "\"summary\": \"" + SUMMARY + "\", \"paper\": \"Lea 2000\", \"bound\": \"\", "
          + "\"compared_with\": \"\"}, \"library\": \"" + library()
          + "\", \"settings\": [], \"counters\": []}");
      return;
    }
    String workload = options.getOrDefault("--workload", "");
    int workers = number("--workers", "1", 1);
    Program program = Program.of(workload, String.join(" ", parameters));
    if (program == null) {
      throw new Refusal(row + " has fib with n, skynet with depth, mergesort with keys, and the "
          + "trees of uts that Uts.java lists");
    }
    long begin = System.nanoTime();
    ForkJoinPool pool = new ForkJoinPool(workers);
    double startUp = (System.nanoTime() - begin) / 1e9;
    Sample first = run(program, pool);
    if (options.containsKey("--once")) {
      printOnce(workload, workers, program, first);
      return;
    }
    double atLeast = number("--sample-ms", "0", 0) / 1e3;
    warmUp(program, pool, begin);
    List<Sample> timed = runs(program, pool, atLeast);
    print(workload, workers, startUp, first.wall, timed, program.forks());
  }

  /** Runs it once. This thread waits outside the pool, whose workers run all of it. */
  private Sample run(Program program, ForkJoinPool pool) throws IOException {
    program.reset();
    Usage before = Usage.now();
    long begin = System.nanoTime();
    pool.invoke(program.root());
    double wall = (System.nanoTime() - begin) / 1e9;
    Usage after = Usage.now();
    isRight &= program.isRight();
    return new Sample(wall, after.userSeconds() - before.userSeconds(),
        after.systemSeconds() - before.systemSeconds(),
        Math.max(0, after.voluntary() - before.voluntary()),
        Math.max(0, after.forced() - before.forced()));
  }

  /** After the first run, which began here. */
  private void warmUp(Program program, ForkJoinPool pool, long begin) throws IOException {
    for (int runs = 1; runs < MIN_WARM_UP_RUNS
        || System.nanoTime() - begin < MIN_WARM_UP_SECONDS * 1e9
        || Usage.now().processorSeconds() < MIN_WARM_UP_SECONDS; ++runs) {
      run(program, pool);
    }
  }

  private List<Sample> runs(Program program, ForkJoinPool pool, double seconds) throws IOException {
    List<Sample> all = new ArrayList<>();
    for (double lasted = 0; all.isEmpty() || lasted < seconds;) {
      all.add(run(program, pool));
      lasted += all.get(all.size() - 1).wall;
    }
    return all;
  }

  private void printOnce(String workload, int workers, Program program, Sample sample) {
    String set = String.join(", ", parameters).replaceAll("([^=, ]+)=([^,]+)", "\"$1\": \"$2\"");
    System.out.println("{\"workload\": \"" + workload + "\", \"scheduler\": \"" + row
        + "\", \"workers\": " + workers + ", \"parameters\": {" + set + "}, \"answer\": "
        + program.answer() + ", \"verified\": " + isRight + ", \"time_ns\": " + sample.wall * 1e9
        + ", \"counters\": null}");
  }

  private void print(String workload, int workers, double startUp, double first, List<Sample> timed,
      long forks) throws IOException {
    double[] walls = timed.stream().mapToDouble(Sample::wall).sorted().toArray();
    double median = (walls[(walls.length - 1) / 2] + walls[walls.length / 2]) / 2;
    double user = timed.stream().mapToDouble(Sample::user).average().orElse(0);
    double system = timed.stream().mapToDouble(Sample::system).average().orElse(0);
    String name = workload + "/" + row;
    for (String each : parameters) name += "/" + each.replace('=', ':');
    System.out.println("{\"context\": {\"scheduler_library\": \"" + library()
        + "\"}, \"benchmarks\": [{\"name\": \"" + name + "/workers:" + workers
        + "/manual_time\", \"real_time\": " + median + ", \"time_unit\": \"s\", \"runs\": "
        + timed.size() + ", \"first_run_seconds\": " + first + ", \"start_up_seconds\": " + startUp
        + ", \"cpu_seconds\": " + (user + system) + ", \"user_seconds\": " + user
        + ", \"system_seconds\": " + system + ", \"voluntary_switches\": "
        + timed.stream().mapToLong(Sample::voluntary).average().orElse(0)
        + ", \"forced_switches\": " + timed.stream().mapToLong(Sample::forced).average().orElse(0)
        + ", \"peak_rss_bytes\": " + Usage.peakRssBytes() + ", \"worker_count\": " + workers
        + ", \"fork_count\": " + forks + ", \"error_occurred\": " + !isRight
        + ", \"error_message\": \"wrong answer\"}]}");
  }
}

import java.util.concurrent.RecursiveAction;

/** A workload instance. Its answer and its forks are those of the latest run. */
interface Program {
  /** Brings the input to its first state: before each run, and not timed. */
  default void reset() {}

  /** What the pool runs. */
  RecursiveAction root();

  boolean isRight();

  /** As JSON. */
  String answer();

  /** Forked branches and children: the tasks of a run beside its root. */
  long forks();

  /** Of `KEY=VALUE` for each parameter, with spaces between them; null if this row lacks it. */
  static Program of(String workload, String parameters) {
    if (workload.equals("uts")) return Uts.search(parameters);
    String key = parameters.replaceFirst("=.*", "");
    long value = number(parameters.substring(parameters.indexOf('=') + 1));
    if (value < 0) return null;
    switch (workload + " " + key) {
      case "fib n":
        return value <= 90 ? Fib.of((int) value) : null;
      case "skynet depth":
        return value <= 9 ? Skynet.of((int) value) : null;
      case "mergesort keys":
        return value <= 1 << 26 ? Mergesort.of((int) value) : null;
      default:
        return null;
    }
  }

  /** Of digits or a power such as 2^20; -1 of anything else. */
  private static long number(String text) {
    if (text.matches("2\\^[0-9]{1,2}")) return 1L << Integer.parseInt(text.substring(2));
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
  }
}

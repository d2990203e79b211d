import java.util.concurrent.RecursiveAction;

/** The second branch of a fork, whose first one is a call: workloads/recursive/fib. */
final class Fib extends RecursiveAction {
  private final int n;
  private long number;

  private Fib(int n) {
    this.n = n;
  }

  @Override
  protected void compute() {
    number = fib(n);
  }

  private static long fib(int n) {
    if (n < 2) return n;
    Fib second = new Fib(n - 2);
    second.fork();
    long first = fib(n - 1);
    second.join();
    return first + second.number;
  }

  private static long byAddition(int n) {
    long number = 0;
    for (long next = 1; n > 0; --n) {
      long sum = number + next;
      number = next;
      next = sum;
    }
    return number;
  }

  static Program of(int n) {
    return new Program() {
      private Fib root;

      @Override
      public RecursiveAction root() {
        return root = new Fib(n);
      }

      @Override
      public boolean isRight() {
        return root.number == byAddition(n);
      }

      @Override
      public String answer() {
        return Long.toString(root.number);
      }

      @Override
      public long forks() {
        return byAddition(n + 1) - 1;
      }
    };
  }
}

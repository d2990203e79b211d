import java.util.concurrent.RecursiveAction;

/** A node, whose ten children are tasks of one invokeAll: workloads/recursive/skynet. */
final class Skynet extends RecursiveAction {
  private static final int FANOUT = 10;

  private final long first;
  private final long leaves;
  private long sum;

  private Skynet(long first, long leaves) {
    this.first = first;
    this.leaves = leaves;
  }

  @Override
  protected void compute() {
    if (leaves == 1) {
      sum = first;
      return;
    }
    long share = leaves / FANOUT;
    Skynet[] children = new Skynet[FANOUT];
    for (int i = 0; i < FANOUT; ++i) children[i] = new Skynet(first + i * share, share);
    invokeAll(children);
    for (Skynet child : children) sum += child.sum;
  }

  static Program of(int depth) {
    long leaves = (long) Math.pow(FANOUT, depth);
    return new Program() {
      private Skynet root;

      @Override
      public RecursiveAction root() {
        return root = new Skynet(0, leaves);
      }

      @Override
      public boolean isRight() {
        return root.sum == leaves * (leaves - 1) / 2;
      }

      @Override
      public String answer() {
        return Long.toString(root.sum);
      }

      @Override
      public long forks() {
        return (leaves - 1) / (FANOUT - 1) * FANOUT;
      }
    };
  }
}

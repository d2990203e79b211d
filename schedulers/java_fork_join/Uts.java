import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.RecursiveAction;

/** A node, whose children are tasks of one invokeAll: workloads/recursive/uts. */
final class Uts extends RecursiveAction {
  private static final int STATE_BYTES = 20;

  /** Looking an algorithm up would take longer than a digest. */
  private static final ThreadLocal<MessageDigest> SHA1 = ThreadLocal.withInitial(() -> {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  });

  /** What a search finds. */
  private record Counts(long nodes, long depth, long leaves) {}

  /** A binomial tree, which has a q, or a geometric one of fixed shape. */
  private record Tree(int seed, int depth, int b0, double q, int m, Counts right) {
    int childCount(byte[] state, int height) {
      double uniform = (ByteBuffer.wrap(state).getInt(STATE_BYTES - 4) & 0x7fffffff) / 0x1p31;
      if (q == 0 && height < depth) {
        return (int) Math.min(Math.log(1 - uniform) / Math.log(1 - 1 / (1.0 + b0)), 100);
      }
      if (q > 0 && height == 0) return b0;
      return uniform < q ? m : 0;
    }
  }

  /** Those of the sizes small and standard. */
  private static final Map<String, Tree> TREES = Map.of(
      "type=geo shape=fixed depth=7 seed=19",
      new Tree(19, 7, 4, 0, 0, new Counts(63914, 7, 51124)),
      "type=bin b0=20 seed=42 q=0.124875 m=8",
      new Tree(42, 0, 20, 0.124875, 8, new Counts(6213, 67, 5438)),
      "tree=T1",
      new Tree(19, 10, 4, 0, 0, new Counts(4130071, 10, 3305118)),
      "tree=T3",
      new Tree(42, 0, 2000, 0.124875, 8, new Counts(4112897, 1572, 3599034)));

  private final Tree tree;
  private final byte[] message; // The parent's state and the index; of the root zeros and the seed.
  private final int height;
  private long nodes = 1;
  private long depth;
  private long leaves;

  private Uts(Tree tree, byte[] message, int height) {
    this.tree = tree;
    this.message = message;
    this.height = height;
  }

  @Override
  protected void compute() {
    byte[] state = SHA1.get().digest(message);
    Uts[] children = new Uts[tree.childCount(state, height)];
    depth = height;
    if (children.length == 0) {
      leaves = 1;
      return;
    }
    for (int i = 0; i < children.length; ++i) {
      byte[] ofChild = ByteBuffer.allocate(STATE_BYTES + 4).put(state).putInt(i).array();
      children[i] = new Uts(tree, ofChild, height + 1);
    }
    invokeAll(children);
    for (Uts child : children) {
      nodes += child.nodes;
      depth = Math.max(depth, child.depth);
      leaves += child.leaves;
    }
  }

  /** Null if this row lacks the tree. */
  static Program search(String parameters) {
    Tree tree = TREES.get(parameters);
    if (tree == null) return null;
    return new Program() {
      private Uts root;

      @Override
      public RecursiveAction root() {
        ByteBuffer message = ByteBuffer.allocate(STATE_BYTES).putInt(STATE_BYTES - 4, tree.seed);
        return root = new Uts(tree, message.array(), 0);
      }

      @Override
      public boolean isRight() {
        return new Counts(root.nodes, root.depth, root.leaves).equals(tree.right);
      }

      @Override
      public String answer() {
        return "{\"nodes\": " + root.nodes + ", \"depth\": " + root.depth + ", \"leaves\": "
            + root.leaves + "}";
      }

      @Override
      public long forks() {
        return root.nodes - 1;
      }
    };
  }
}

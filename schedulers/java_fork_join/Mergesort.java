import java.util.Arrays;
import java.util.concurrent.RecursiveAction;

/**
 * Sorts a piece of the keys into them or into the buffer: workloads/recursive/mergesort, with the
 * same keys, pieces and forks. A key is stored with its first bit inverted, so that Java's signed
 * order is that of the unsigned keys.
 */
final class Mergesort extends RecursiveAction {
  private static final int GRAIN = 1 << 12;

  private final long[] keys;
  private final long[] buffer;
  private final int begin;
  private final int end;
  private final boolean isIntoKeys;
  private long forks;

  private Mergesort(long[] keys, long[] buffer, int begin, int end, boolean isIntoKeys) {
    this.keys = keys;
    this.buffer = buffer;
    this.begin = begin;
    this.end = end;
    this.isIntoKeys = isIntoKeys;
  }

  @Override
  protected void compute() {
    if (end - begin <= GRAIN) {
      Arrays.sort(keys, begin, end);
      if (!isIntoKeys) System.arraycopy(keys, begin, buffer, begin, end - begin);
      return;
    }
    int middle = begin + (end - begin) / 2;
    Mergesort left = new Mergesort(keys, buffer, begin, middle, !isIntoKeys);
    Mergesort right = new Mergesort(keys, buffer, middle, end, !isIntoKeys);
    invokeAll(left, right);
    long[] from = isIntoKeys ? buffer : keys;
    long[] to = isIntoKeys ? keys : buffer;
    Merge merge = new Merge(from, begin, middle, middle, end, to, begin);
    merge.compute();
    forks = 1 + left.forks + right.forks + merge.forks;
  }

  /** Merges two sorted pieces; of equal keys those of the left one come first. */
  private static final class Merge extends RecursiveAction {
    private final long[] from;
    private final int left;
    private final int leftEnd;
    private final int right;
    private final int rightEnd;
    private final long[] to;
    private final int out;
    private long forks;

    Merge(long[] from, int left, int leftEnd, int right, int rightEnd, long[] to, int out) {
      this.from = from;
      this.left = left;
      this.leftEnd = leftEnd;
      this.right = right;
      this.rightEnd = rightEnd;
      this.to = to;
      this.out = out;
    }

    @Override
    protected void compute() {
      int leftSize = leftEnd - left;
      int rightSize = rightEnd - right;
      if (leftSize + rightSize <= GRAIN) {
        mergeSerially();
        return;
      }
      int l = left + leftSize / 2;
      int r = right + rightSize / 2;
      if (leftSize >= rightSize) {
        r = firstThat(from[l], false, right, rightEnd);
      } else {
        l = firstThat(from[r], true, left, leftEnd);
      }
      Merge lower = new Merge(from, left, l, right, r, to, out);
      Merge upper = new Merge(from, l, leftEnd, r, rightEnd, to, out + (l - left) + (r - right));
      invokeAll(lower, upper);
      forks = 1 + lower.forks + upper.forks;
    }

    /** The first index of a key that is at least this one, or above it. */
    private int firstThat(long key, boolean isAbove, int begin, int end) {
      while (begin < end) {
        int middle = (begin + end) >>> 1;
        if (isAbove ? from[middle] <= key : from[middle] < key) {
          begin = middle + 1;
        } else {
          end = middle;
        }
      }
      return begin;
    }

    private void mergeSerially() {
      int l = left;
      int r = right;
      int at = out;
      while (l < leftEnd && r < rightEnd) {
        long ofLeft = from[l];
        long ofRight = from[r];
        boolean takesRight = ofRight < ofLeft;
        to[at++] = takesRight ? ofRight : ofLeft;
        r += takesRight ? 1 : 0;
        l += takesRight ? 0 : 1;
      }
      System.arraycopy(from, l, to, at, leftEnd - l);
      System.arraycopy(from, r, to, at + leftEnd - l, rightEnd - r);
    }
  }

  /** SplitMix64, as in schedulers/random.hpp. */
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private static long mixed(long x) {
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** The same for equal multisets of keys in any order. */
  private static long multisetHash(long[] keys) {
    long sum = 0;
    for (long key : keys) sum += mixed((key ^ Long.MIN_VALUE) + GOLDEN_GAMMA);
    return sum;
  }

  private static boolean isSorted(long[] keys) {
    for (int i = 1; i < keys.length; ++i) {
      if (keys[i - 1] > keys[i]) return false;
    }
    return true;
  }

  static Program of(int count) {
    long[] keys = new long[count];
    long[] buffer = new long[count];
    fill(keys);
    long hashBefore = multisetHash(keys);
    return new Program() {
      private Mergesort root;

      @Override
      public void reset() {
        Arrays.fill(buffer, Long.MIN_VALUE);
        fill(keys);
      }

      @Override
      public RecursiveAction root() {
        return root = new Mergesort(keys, buffer, 0, count, true);
      }

      @Override
      public boolean isRight() {
        return isSorted(keys) && multisetHash(keys) == hashBefore;
      }

      @Override
      public String answer() {
        return String.format(
            "{\"sorted\": %b, \"multiset_hash\": \"%016x\", \"multiset_hash_before\": \"%016x\"}",
            isSorted(keys), multisetHash(keys), hashBefore);
      }

      @Override
      public long forks() {
        return root.forks;
      }
    };
  }

  /** With the keys of seed 1. */
  private static void fill(long[] keys) {
    long state = mixed(1);
    for (int i = 0; i < keys.length; ++i) {
      state += GOLDEN_GAMMA;
      keys[i] = mixed(state) ^ Long.MIN_VALUE;
    }
  }
}

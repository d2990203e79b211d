import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What this process has used, as Linux says. Java has no getrusage: processor time has the kernel's
 * resolution for files, 10 ms, and context switches are those of the threads that have not ended.
 */
record Usage(double userSeconds, double systemSeconds, long voluntary, long forced) {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on every architecture.

  static Usage now() throws IOException {
    String stat = Files.readString(PROCESS.resolve("stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long voluntary = 0;
    long forced = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROCESS.resolve("task"))) {
      for (Path thread : threads) {
        try {
          String status = Files.readString(thread.resolve("status"));
          voluntary += valueOf("voluntary_ctxt_switches", status);
          forced += valueOf("nonvoluntary_ctxt_switches", status);
        } catch (NoSuchFileException ended) {
          continue;
        }
      }
    }
    return new Usage(Long.parseLong(afterName[11]) / TICKS_PER_SECOND,
        Long.parseLong(afterName[12]) / TICKS_PER_SECOND, voluntary, forced);
  }

  double processorSeconds() {
    return userSeconds + systemSeconds;
  }

  static long peakRssBytes() throws IOException {
    return valueOf("VmHWM", Files.readString(PROCESS.resolve("status"))) * 1024;
  }

  private static long valueOf(String key, String status) {
    for (String line : status.split("\n")) {
      if (line.startsWith(key + ":")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
    throw new IllegalStateException("/proc/self/status lacks " + key);
  }
}

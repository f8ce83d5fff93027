import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a heap of 4 GiB stands still when the broker asks for collections, as memory is short: 2 GB of small arrays
 * in the old generation, of which 60 % are garbage that lies among the others. {@code interval} has G1 collect at
 * intervals, as {@code JvmHeap} does; {@code concurrent} is {@code System.gc()} with
 * {@code ExplicitGCInvokesConcurrent}; {@code full} is {@code System.gc()} alone. It starts a JVM of its own for the
 * heap, reads that one's log, and prints for each pause over 20 ms, and for the longest one, how much processor time
 * the collector took meanwhile: a pause that took less than it lasted has waited for a processor.
 *
 * <p>{@code java bench/collections/ShortMemory.java interval|concurrent|full [SECONDS [JVM_FLAGS...]]}
 */
public final class ShortMemory {
    private static final int ARRAY_BYTES = 256;
    private static final int ARRAYS = (int) ((2L << 30) / (ARRAY_BYTES + 16));
    private static final double GARBAGE = 0.6;
    private static final String BEGIN = "begin ";
    private static final double LONG_MS = 20;
    private static final Pattern PAUSE = Pattern.compile("\\[([0-9.]+)s].* GC\\((\\d+)\\) (Pause .*) ([0-9.]+)ms");
    private static final Pattern TIMES = Pattern.compile("GC\\((\\d+)\\) User=([0-9.]+)s Sys=([0-9.]+)s");

    private ShortMemory() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String way = arguments[0];
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        if (way.startsWith(BEGIN.trim())) {
            fill(way.substring(BEGIN.length() - 1), seconds);
            return;
        }
        Path log = Files.createTempFile("short-memory", ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms4g", "-Xmx4g", "-XX:+UseG1GC"));
        command.add("-Xlog:gc,gc+cpu:file=" + log + ":uptime:filecount=0");
        if (way.equals("concurrent")) {
            command.add("-XX:+ExplicitGCInvokesConcurrent");
        }
        command.addAll(List.of(arguments).subList(Math.min(2, arguments.length), arguments.length));
        command.addAll(List.of(source(), BEGIN.trim() + way, Integer.toString(seconds)));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the JVM with the heap ended with " + process.exitValue());
        }
        System.out.print(said);
        String first = said.lines().filter(line -> line.startsWith(BEGIN)).findFirst().orElseThrow();
        report(Files.readAllLines(log), Double.parseDouble(first.substring(BEGIN.length())));
        Files.delete(log);
    }

    private static String source() {
        return Path.of("bench", "collections", "ShortMemory.java").toString();
    }

    private static void fill(String way, int seconds) throws InterruptedException {
        byte[][] kept = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            kept[i] = new byte[ARRAY_BYTES];
        }
        for (int i = 0; i < 3; i++) {
            System.gc(); // what lives is in the old generation now
        }
        Random chance = new Random(1);
        for (int i = 0; i < ARRAYS; i++) {
            if (chance.nextDouble() < GARBAGE) {
                kept[i] = null;
            }
        }
        long before = usedMb();
        System.out.println(BEGIN + ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
        if (way.equals("interval")) {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .setVMOption("G1PeriodicGCInterval", "250");
        } else {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
        }
        Thread.sleep(seconds * 1_000L);
        System.out.printf("%s: %d MB before, %d MB after %d s%n", way, before, usedMb(), seconds);
        if (kept.length == 0) {
            throw new IllegalStateException("keeps what is left alive");
        }
    }

    private static long usedMb() {
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
    }

    private static void report(List<String> log, double fromSeconds) {
        int pauses = 0;
        double longestMs = 0;
        String longest = "none";
        for (String line : log) {
            Matcher pause = PAUSE.matcher(line);
            if (!pause.find() || Double.parseDouble(pause.group(1)) < fromSeconds) {
                continue;
            }
            pauses++;
            double ms = Double.parseDouble(pause.group(4));
            int processorMs = processorMs(log, pause.group(2));
            String told = pause.group(3) + ": " + ms + " ms, processor time " + processorMs + " ms";
            if (ms > LONG_MS) {
                System.out.println("  " + told);
            }
            if (ms > longestMs) {
                longestMs = ms;
                longest = told;
            }
        }
        System.out.println(pauses + " pauses; the longest: " + longest);
    }

    /** To 10 ms, as the JVM's log has it. */
    private static int processorMs(List<String> log, String collection) {
        for (String line : log) {
            Matcher times = TIMES.matcher(line);
            if (times.find() && times.group(1).equals(collection)) {
                double seconds = Double.parseDouble(times.group(2)) + Double.parseDouble(times.group(3));
                return (int) Math.round(1e3 * seconds);
            }
        }
        return 0;
    }
}

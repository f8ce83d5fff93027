package dev.avocet.testkit.cost;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Notes how much processor time each test class takes, that of the programs it has started and waited for included. Of
 * a build on a machine of few processors that is the cost; the time on the clock is mostly that of the neighbours.
 *
 * <p>JUnit finds it by itself. It appends a line for each class to {@code target/processor-time.txt}: seconds, a blank,
 * the name. Where there is no {@code /proc} it notes nothing.
 */
public final class ProcessorTime implements BeforeAllCallback, AfterAllCallback {
    private static final Path STATISTICS = Path.of("/proc/self/stat");
    private static final Path NOTES = Path.of("target", "processor-time.txt");
    private static final double TICKS_PER_SECOND = 100; // USER_HZ of every Linux that runs a JVM
    private static final int FIRST_FIELD_OF_TIMES = 11; // utime, counted from the field after the command's parenthesis
    private static final Namespace NAMESPACE = Namespace.create(ProcessorTime.class);

    /** Called by JUnit. */
    public ProcessorTime() {}

    @Override
    public void beforeAll(final ExtensionContext context) throws IOException {
        if (isNoted(context)) {
            context.getStore(NAMESPACE).put("start", ticks());
        }
    }

    @Override
    public void afterAll(final ExtensionContext context) throws IOException {
        if (isNoted(context)) {
            final long ticks = ticks() - context.getStore(NAMESPACE).get("start", Long.class);
            final String line = String.format(
                    Locale.ROOT,
                    "%.2f %s%n",
                    ticks / TICKS_PER_SECOND,
                    context.getRequiredTestClass().getName());
            Files.createDirectories(NOTES.getParent());
            Files.writeString(NOTES, line, US_ASCII, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static boolean isNoted(final ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isEmpty() && Files.exists(STATISTICS);
    }

    private static long ticks() throws IOException {
        return ticks(Files.readString(STATISTICS, US_ASCII));
    }

    /** What a process and its children that have ended have used: utime, stime, cutime, cstime of proc(5). */
    static long ticks(final String statistics) {
        final String[] fields =
                statistics.substring(statistics.lastIndexOf(')') + 2).split(" ", FIRST_FIELD_OF_TIMES + 5);
        long sum = 0;
        for (int i = FIRST_FIELD_OF_TIMES; i < FIRST_FIELD_OF_TIMES + 4; i++) {
            sum += Long.parseLong(fields[i]);
        }
        return sum;
    }
}

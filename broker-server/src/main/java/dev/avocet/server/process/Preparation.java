package dev.avocet.server.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has {@code bin/broker prepare} make the archive of classes that lets the next start be quick, where the launcher has
 * found none or the one that it has found is damaged: once, by a process of the lowest priority, when the broker has
 * served its clients for a while. That process ends with the broker.
 */
public final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /** The launcher sets it when there is no archive and one can be made: the name of the collector. */
    private static final String PROPERTY = "avocet.prepare";
    /** The launcher sets it when there is an archive, which may be damaged: the name of the collector too. */
    private static final String PRESENT_PROPERTY = "avocet.archive";
    /** The launcher says so when it has made one. */
    private static final String MADE = "broker: prepared: ";

    private static final long DELAY_S = 10;

    /** It takes a quarter of this. */
    private static final long LEAST_MEMORY_BYTES = 1_500_000_000L;

    /** What is meant for this JVM alone, such as a port for a debugger. */
    private static final List<String> OWN_ENVIRONMENT =
            List.of("JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "BROKER_RESTART");

    private final List<String> command;
    private final boolean present;

    private Preparation(List<String> command, boolean present) {
        this.command = command;
        this.present = present;
    }

    /**
     * What the launcher wants; null when that is nothing.
     *
     * @param property the value of a property of this JVM, or null
     */
    static @Nullable Preparation of(Path home, UnaryOperator<@Nullable String> property) {
        String wanted = property.apply(PROPERTY);
        String collector = wanted == null ? property.apply(PRESENT_PROPERTY) : wanted;
        Path launcher = home.resolve("bin").resolve("broker");
        return collector == null
                ? null
                : new Preparation(
                        List.of("nice", "-n", "19", launcher.toString(), "prepare", "--gc", collector), wanted == null);
    }

    /** Begins to wait, if the launcher wants something. */
    public static void begin(Path home) {
        Preparation preparation = of(home, System::getProperty);
        if (preparation != null) {
            CompletableFuture.delayedExecutor(DELAY_S, TimeUnit.SECONDS, Preparation::inThread)
                    .execute(() -> tell(preparation.run()));
        }
    }

    private static void tell(String outcome) {
        if (!outcome.isEmpty()) {
            LOG.info("{}", outcome);
        }
    }

    private static void inThread(Runnable work) {
        Thread thread = new Thread(work, "prepare");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns what became of it in words; nothing when there was nothing to do. */
    String run() {
        try {
            if (isMemoryShort()) {
                return present
                        ? ""
                        : "The next start is no quicker: there is too little memory to prepare it; 'broker prepare' does";
            }
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            Map<String, String> environment = builder.environment();
            OWN_ENVIRONMENT.forEach(environment::remove);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-prepare"));
            process.getOutputStream().close();
            String said = lastLine(process);
            int exitCode = process.waitFor();
            if (exitCode == 0 && present && !said.startsWith(MADE)) {
                return "";
            }
            return (exitCode == 0 ? "The next start is quicker: " : "The next start is no quicker: ") + said;
        } catch (IOException e) {
            return "The next start is no quicker: " + e.getMessage();
        } catch (IllegalStateException e) {
            LOG.debug("The broker ends before it is prepared", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }

    private static boolean isMemoryShort() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && system.getTotalMemorySize() < LEAST_MEMORY_BYTES;
    }

    private static String lastLine(Process process) throws IOException {
        String last = "";
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                last = line;
            }
        }
        return last;
    }
}

package dev.avocet.server;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has {@code bin/broker prepare} make the archive of classes that lets the next start be quick, where the launcher has
 * found none: once, by a process of the lowest priority, when the broker has served its clients for a while. That
 * process ends with the broker.
 */
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /** The launcher sets it when there is no archive and one can be made: the name of the collector. */
    private static final String PROPERTY = "avocet.prepare";

    private static final long DELAY_S = 10;

    /** It takes a quarter of this. */
    private static final long LEAST_MEMORY_BYTES = 1_500_000_000L;

    /** What is meant for this JVM alone, such as a port for a debugger. */
    private static final List<String> OWN_ENVIRONMENT =
            List.of("JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "BROKER_RESTART");

    private final List<String> command;

    private Preparation(List<String> command) {
        this.command = command;
    }

    /** Begins to wait, if the launcher wants an archive. */
    static void begin(Path home) {
        String collector = System.getProperty(PROPERTY);
        if (collector == null) {
            return;
        }
        Path launcher = home.resolve("bin").resolve("broker");
        Preparation preparation =
                new Preparation(List.of("nice", "-n", "19", launcher.toString(), "prepare", "--gc", collector));
        CompletableFuture.delayedExecutor(DELAY_S, TimeUnit.SECONDS, Preparation::inThread)
                .execute(preparation::run);
    }

    private static void inThread(Runnable work) {
        Thread thread = new Thread(work, "prepare");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            if (isMemoryShort()) {
                LOG.info(
                        "The next start is no quicker: there is too little memory to prepare it; 'broker prepare' does");
                return;
            }
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            Map<String, String> environment = builder.environment();
            OWN_ENVIRONMENT.forEach(environment::remove);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-prepare"));
            process.getOutputStream().close();
            String said = lastLine(process);
            if (process.waitFor() == 0) {
                LOG.info("The next start is quicker: {}", said);
            } else {
                LOG.info("The next start is no quicker: {}", said);
            }
        } catch (IOException e) {
            LOG.info("The next start is no quicker: {}", e.getMessage());
        } catch (IllegalStateException e) {
            LOG.debug("The broker ends before it is prepared", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

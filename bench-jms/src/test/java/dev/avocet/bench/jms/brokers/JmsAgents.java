package dev.avocet.bench.jms.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.command.JmsBench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Agents as the command line starts them, each on a loopback address of its own and a thread of this process. */
final class JmsAgents implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final Path secret;

    JmsAgents(Path secret, int count) {
        this.secret = secret;
        for (int i = 0; i < count; i++) {
            start("127.0.0." + (i + 2));
        }
    }

    private void start(String host) {
        StringWriter out = new StringWriter();
        CountDownLatch isListening = new CountDownLatch(1);
        PrintWriter writer = new PrintWriter(out) {
            @Override
            public void flush() {
                super.flush();
                isListening.countDown();
            }
        };
        Thread thread = new Thread(
                () -> JmsBench.execute(writer, writer, "agent", "--listen=" + host + ":0", "--secret-file=" + secret));
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        await(isListening);
        assertThat(out.toString()).contains(" listens on ");
        addresses.add(host + out.toString().strip().replaceFirst(".*:", ":"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    List<String> options() {
        return List.of("--agents=" + String.join(",", addresses), "--secret-file=" + secret);
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}

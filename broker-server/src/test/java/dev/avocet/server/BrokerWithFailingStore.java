package dev.avocet.server;

import dev.avocet.core.journal.JournalException;
import dev.avocet.server.broker.ProcessStarter;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.store.StoreFailureListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process of the broker whose store fails when its standard input says or ends. */
final class BrokerWithFailingStore {
    /** Whether the broker cannot be closed any more, as when the disk does not answer. */
    static final String STUCK_PROPERTY = "stuck";

    private BrokerWithFailingStore() {}

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        ProcessStarter starter = config -> plan -> {
            Thread disk = new Thread(() -> failOnInput(plan.onStoreFailed()), "disk");
            disk.setDaemon(true);
            disk.start();
            return new Pretended();
        };
        System.exit(Main.commandLine(starter, new FakeInspector(), Path.of("."), out, err)
                .execute(args));
    }

    private static void failOnInput(StoreFailureListener onStoreFailed) {
        try {
            int unused = System.in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        onStoreFailed.onStoreFailed(new JournalException("segment 7 cannot be forced: Input/output error"));
        onStoreFailed.onStoreFailed(new JournalException("and again"));
    }

    private static final class Pretended implements RunningBroker {
        @Override
        public List<InetSocketAddress> endpoints() {
            return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        }

        @Override
        public void close() {
            if (Boolean.getBoolean(STUCK_PROPERTY)) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}

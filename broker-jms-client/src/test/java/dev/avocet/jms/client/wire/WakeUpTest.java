package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.client.options.ConnectionUrl;
import dev.avocet.jms.client.wire.route.WireException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.junit.jupiter.api.Test;

/** A thread that waits for messages is woken once for those that come together, however many they are. */
class WakeUpTest {
    private static final int MESSAGES = 100;
    /** The server's one write of six kilobytes may come in two reads. */
    private static final int READS_MAX = 4;

    private final Received received = new Received();

    @Test
    void shouldTellAReceiverOnceOfAllThatComesTogether() throws Exception {
        try (ScriptedServer server = new ScriptedServer(WakeUpTest::serve)) {
            // given
            final WireConnection connection = new WireConnection(
                    ConnectionUrl.parse("avocet://localhost:" + server.port()),
                    Unattended.LOGIN,
                    new Unattended(),
                    new EventLoops());
            connection.connect();
            connection.open("woken").get(10, TimeUnit.SECONDS);
            final WireSession session = onLoop(connection, () -> connection.session(false));
            final ReceiverSpec spec = new ReceiverSpec("link", "queue", List.of(), null, false, false, false, true);
            final WireReceiver receiver = onLoop(connection, () -> session.receiver(spec, received));
            receiver.opened().get(10, TimeUnit.SECONDS);

            // when
            connection.run(() -> receiver.addCredit(MESSAGES));
            await().until(() -> received.messages.get() == MESSAGES && received.wakes.get() > 0);

            // then
            assertThat(received.wakes).hasValueLessThanOrEqualTo(READS_MAX);
            connection.close().get(10, TimeUnit.SECONDS);
        }
    }

    private static void serve(final Connection open, final int before) {
        open.sessionOpenHandler(session -> session.open());
        open.senderOpenHandler(sender -> {
            sender.setSource(sender.getRemoteSource());
            sender.creditStateUpdateHandler(WakeUpTest::sendAll);
            sender.open();
        });
        open.open();
    }

    private static void sendAll(final Sender sender) {
        while (sender.getCredit() > 0) {
            final OutgoingDelivery delivery = sender.next();
            delivery.setTag(new byte[] {1});
            delivery.settle();
            delivery.writeBytes(ProtonByteArrayBufferAllocator.wrapped(new byte[] {0, 0x53, 0x77, 0x43}));
        }
    }

    private static <T> T onLoop(final WireConnection connection, final Supplier<T> action) throws Exception {
        final CompletableFuture<T> done = new CompletableFuture<>();
        connection.run(() -> done.complete(action.get()));
        return done.get(10, TimeUnit.SECONDS);
    }

    private static final class Received implements ReceiverEvents {
        private final AtomicInteger messages = new AtomicInteger();
        private final AtomicInteger wakes = new AtomicInteger();

        @Override
        public void arrived(final byte[] message, final IncomingDelivery delivery) {
            messages.incrementAndGet();
        }

        @Override
        public void readComplete() {
            wakes.incrementAndGet();
        }

        @Override
        public void restored() {}

        @Override
        public void interrupted() {}

        @Override
        public void ended(final WireException cause) {}
    }
}

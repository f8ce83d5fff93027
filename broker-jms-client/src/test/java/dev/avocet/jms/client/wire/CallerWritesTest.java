package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.client.options.ConnectionUrl;
import dev.avocet.jms.client.wire.route.WireException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads of the application that write to the socket themselves, beside the event loop. */
final class CallerWritesTest {
    private static final long PATIENCE_S = 20;
    /** Longer than from one send of a stream to the next. */
    private static final long APART_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final int LARGE_BYTES = 15_000;
    private static final int LARGE_MESSAGES = 600;
    private static final int CUTS = 20;

    private final List<ByteBuffer> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger writtenByCallers = new AtomicInteger();
    /** The server reads on once it is down. */
    private volatile CountDownLatch reading = new CountDownLatch(0);

    private ScriptedServer server;
    private WireConnection connection;
    private WireSender sender;

    @BeforeEach
    void connect() throws Exception {
        server = new ScriptedServer(this::serve);
        connection = new WireConnection(
                ConnectionUrl.parse("avocet://localhost:" + server.port() + "?reconnectDelay=1"),
                Unattended.LOGIN,
                new Unattended(),
                new EventLoops());
        connection.connect();
        connection.open("callers").get(PATIENCE_S, TimeUnit.SECONDS);
        final WireSession session = onLoop(() -> connection.session(false));
        sender = onLoop(() -> session.sender(new SenderSpec("link", "queue", null, false, null)));
        sender.opened().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        reading.countDown();
        connection.close().get(PATIENCE_S, TimeUnit.SECONDS);
        server.close();
    }

    @Test
    void shouldSendOnTheCallersThreadWhatComesAlone() {
        // when
        for (int i = 0; i < 100; i++) {
            LockSupport.parkNanos(APART_NS);
            assertThat(send(i, Integer.BYTES).join()).isNull();
        }

        // then
        assertThat(received).extracting(ByteBuffer::getInt).containsExactlyElementsOf(upTo(100));
        assertThat(writtenByCallers).hasPositiveValue();
    }

    @Test
    void shouldLoseAndSwapNothingWhenTheServerDoesNotReadForAWhile() {
        // given
        reading = new CountDownLatch(1);

        // when
        final List<CompletableFuture<@Nullable WireException>> sent = new ArrayList<>();
        for (int i = 0; i < LARGE_MESSAGES; i++) {
            LockSupport.parkNanos(APART_NS);
            sent.add(send(i, LARGE_BYTES));
        }
        assertThat(sent.get(LARGE_MESSAGES - 1)).isNotDone();
        reading.countDown();

        // then
        assertThat(sent)
                .allSatisfy(
                        one -> assertThat(one.get(PATIENCE_S, TimeUnit.SECONDS)).isNull());
        assertThat(received).extracting(ByteBuffer::remaining).containsOnly(LARGE_BYTES);
        assertThat(received).extracting(ByteBuffer::getInt).containsExactlyElementsOf(upTo(LARGE_MESSAGES));
        assertThat(writtenByCallers).hasPositiveValue();
    }

    @Test
    void shouldAnswerEachSendWhenTheLineIsCutMeanwhile() throws Exception {
        // given
        final AtomicInteger next = new AtomicInteger();
        final AtomicInteger cuts = new AtomicInteger();
        final Supplier<List<Integer>> caller = () -> {
            final List<Integer> taken = new ArrayList<>();
            while (cuts.get() < CUTS) {
                final int number = next.getAndIncrement();
                if (send(number, LARGE_BYTES)
                                .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
                                .join()
                        == null) {
                    taken.add(number);
                }
            }
            return taken;
        };

        // when
        final CompletableFuture<List<Integer>> first = CompletableFuture.supplyAsync(caller);
        final CompletableFuture<List<Integer>> second = CompletableFuture.supplyAsync(caller);
        for (int i = 0; i < CUTS; i++) {
            final int before = received.size();
            await().until(() -> received.size() > before);
            server.cut();
            cuts.incrementAndGet();
        }

        // then
        final List<Integer> all =
                received.stream().map(bytes -> bytes.duplicate().getInt()).toList();
        assertThat(all).containsAll(first.get(PATIENCE_S, TimeUnit.SECONDS));
        assertThat(all).containsAll(second.get(PATIENCE_S, TimeUnit.SECONDS));
        assertThat(send(-1, Integer.BYTES).get(PATIENCE_S, TimeUnit.SECONDS)).isNull();
    }

    /** Ends with what the server says, null where it accepts the message. */
    private CompletableFuture<@Nullable WireException> send(final int number, final int bytes) {
        final CompletableFuture<@Nullable WireException> done = new CompletableFuture<>();
        final byte[] message = ByteBuffer.allocate(bytes).putInt(number).array();
        final Thread caller = Thread.currentThread();
        connection.send(
                () -> {
                    if (Thread.currentThread().equals(caller)) {
                        writtenByCallers.incrementAndGet();
                    }
                    sender.send(new Outgoing(message, false, true, null, false, done::complete));
                },
                true);
        return done;
    }

    private void serve(final Connection open, final int before) {
        open.sessionOpenHandler(session -> session.open());
        open.receiverOpenHandler(receiver -> {
            receiver.setSource(receiver.getRemoteSource());
            receiver.setTarget(receiver.<Target>getRemoteTarget());
            receiver.deliveryReadHandler(this::take);
            receiver.open();
            receiver.addCredit(Integer.MAX_VALUE);
        });
        open.open();
    }

    private void take(final IncomingDelivery delivery) {
        if (delivery.isPartial()) {
            return;
        }
        try {
            reading.await();
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
        final ProtonBuffer all = delivery.readAll();
        final byte[] bytes = new byte[all.getReadableBytes()];
        all.readBytes(bytes, 0, bytes.length);
        received.add(ByteBuffer.wrap(bytes));
        delivery.disposition(Accepted.getInstance(), true);
        final Receiver link = delivery.getLink();
        link.addCredit(1);
    }

    private <T> T onLoop(final Supplier<T> action) throws Exception {
        final CompletableFuture<T> done = new CompletableFuture<>();
        connection.run(() -> done.complete(action.get()));
        return done.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static List<Integer> upTo(final int end) {
        final List<Integer> all = new ArrayList<>();
        for (int i = 0; i < end; i++) {
            all.add(i);
        }
        return all;
    }
}

package dev.avocet.testkit;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.endpoint.EndpointListener;
import dev.avocet.core.endpoint.EndpointOptions;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.tls.TlsContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A whole broker in the test's process: real sockets on a free loopback port, real event loops, and a clock that the
 * test moves.
 *
 * <pre>{@code
 * try (TestBroker broker = TestBroker.with(frontEnd).loops(2).start()) {
 *     connect(broker.port());
 *     broker.advance(Duration.ofSeconds(30));
 * }
 * }</pre>
 */
public final class TestBroker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ManualClock clock;
    private final MemoryGuard memory;
    private final EventLoops threads;
    private final LoopGroup loops;
    private final Broker broker;
    private final ConnectionGuard guard;
    private final EndpointListener listener;

    private TestBroker(Builder builder) throws IOException {
        clock = builder.clock;
        memory = new MemoryGuard();
        threads = new EventLoops(builder.transport, builder.loopCount);
        loops = new LoopGroup(threads, clock, memory);
        broker = new Broker(builder.options, loops.loops());
        guard = new ConnectionGuard(builder.limits, memory, clock);
        EndpointOptions endpoint = new EndpointOptions(
                        "test",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        builder.maxMessageBytes,
                        builder.firstPacketTimeoutMs,
                        EndpointOptions.DEFAULT_BACKLOG)
                .with(builder.leniency);
        List<FrontEnd> frontEnds =
                builder.frontEnds.stream().map(make -> make.apply(broker)).toList();
        listener = EndpointListener.bind(endpoint, builder.tls, loops, guard, frontEnds);
    }

    /** A broker that speaks one protocol; more can be added. */
    public static Builder with(Function<Broker, FrontEnd> frontEnd) {
        return new Builder().and(frontEnd);
    }

    public int port() {
        return listener.address().getPort();
    }

    public Broker broker() {
        return broker;
    }

    public ManualClock clock() {
        return clock;
    }

    public MemoryGuard memory() {
        return memory;
    }

    /** The policies of its endpoint, which has none at first. */
    public EndpointPolicies policies() {
        return listener.options().policies();
    }

    public ConnectionGuard guard() {
        return guard;
    }

    /** Lets time pass, and returns when every loop has fired what became due. */
    public void advance(Duration duration) {
        clock.advance(duration);
        onEachLoop(IoLoop::tick);
    }

    /** Returns when every loop has done what it was given before. */
    public void settle() {
        onEachLoop(loop -> {});
    }

    public long count(Counter counter) {
        return broker.metrics().get(counter);
    }

    /**
     * Waits for a counter to reach a figure; {@link AssertionError}-like failure when it does not within ten seconds.
     */
    public void awaitCount(Counter counter, long expected) {
        Awaitility.await(counter + " to be " + expected)
                .atMost(PATIENCE)
                .until(() -> count(counter), figure -> figure == expected);
    }

    @Override
    public void close() {
        listener.close();
        loops.close();
        threads.close();
    }

    private void onEachLoop(Consumer<IoLoop> action) {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (IoLoop loop : broker.loops()) {
            done.add(CompletableFuture.runAsync(() -> action.accept(loop), loop::execute));
        }
        CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** What a {@link TestBroker} is to be like. */
    public static final class Builder {
        private final List<Function<Broker, FrontEnd>> frontEnds = new ArrayList<>();
        private ManualClock clock = new ManualClock();
        private BrokerOptions options = BrokerOptions.DEFAULT;
        private Transport transport = Transport.best();
        private ConnectionGuard.Limits limits = new ConnectionGuard.Limits(10_000, 10_000, 0);
        private @Nullable TlsContext tls;
        private Leniency leniency = Leniency.NONE;
        private int loopCount = 1;
        private int maxMessageBytes = EndpointOptions.DEFAULT_MAX_MESSAGE_BYTES;
        private int firstPacketTimeoutMs = EndpointOptions.DEFAULT_FIRST_PACKET_TIMEOUT_MS;

        private Builder() {}

        public Builder and(Function<Broker, FrontEnd> frontEnd) {
            frontEnds.add(frontEnd);
            return this;
        }

        /** Event loops; more than one shows what happens between them. */
        public Builder loops(int count) {
            loopCount = count;
            return this;
        }

        public Builder clock(ManualClock manualClock) {
            clock = manualClock;
            return this;
        }

        public Builder options(BrokerOptions brokerOptions) {
            options = brokerOptions;
            return this;
        }

        public Builder transport(Transport chosen) {
            transport = chosen;
            return this;
        }

        public Builder connectionLimits(ConnectionGuard.Limits connectionLimits) {
            limits = connectionLimits;
            return this;
        }

        /** TLS for every connection; stays the caller's. */
        public Builder tls(TlsContext context) {
            tls = context;
            return this;
        }

        /** What its endpoint puts up with. */
        public Builder leniency(Leniency endpointLeniency) {
            leniency = endpointLeniency;
            return this;
        }

        public Builder maxMessageBytes(int bytes) {
            maxMessageBytes = bytes;
            return this;
        }

        public Builder firstPacketTimeoutMs(int timeoutMs) {
            firstPacketTimeoutMs = timeoutMs;
            return this;
        }

        public TestBroker start() {
            try {
                return new TestBroker(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

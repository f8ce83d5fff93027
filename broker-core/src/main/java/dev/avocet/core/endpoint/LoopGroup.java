package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops as one broker sees them: an {@link IoLoop} for each thread of the process's {@link EventLoops}, with
 * timers, batches, counters and connections of its own. So brokers that share the threads do not see each other, and
 * nothing of a broker is left on the threads when its group is closed. Thread-safe.
 */
public final class LoopGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopGroup.class);
    private static final long TICK_MS = 50;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final EventLoops threads;
    private final List<Member> members = new ArrayList<>();
    private final IdentityHashMap<EventExecutor, Member> byExecutor = new IdentityHashMap<>();
    private volatile boolean isClosed;

    /** Of a broker that is alone. */
    public LoopGroup(EventLoops threads, Clock clock, MemoryGuard memory) {
        this(threads, clock, memory, OutputLease.ALWAYS);
    }

    /** @param lease under which the broker sends to its clients */
    public LoopGroup(EventLoops threads, Clock clock, MemoryGuard memory, OutputLease lease) {
        this.threads = threads;
        for (EventLoop eventLoop : threads.all()) {
            IoLoop loop = new IoLoop(
                    members.size(), whileOpen(eventLoop), afterInput(eventLoop), eventLoop::inEventLoop, clock, memory);
            Member member = new Member(eventLoop, loop, ticker(eventLoop, loop), new HeldOutputs(lease, eventLoop));
            members.add(member);
            byExecutor.put(eventLoop, member);
        }
    }

    public Transport transport() {
        return threads.transport();
    }

    public List<IoLoop> loops() {
        return members.stream().map(member -> member.loop).toList();
    }

    /** The loop that owns a channel. */
    IoLoop loopOf(Channel channel) {
        return member(channel).loop;
    }

    /** A connection belongs to this broker until it is {@linkplain #disown closed}. On its loop. */
    void own(Channel connection) {
        member(connection).own(connection);
    }

    /** The client of a connection is let in: what it is sent needs the lease. On its loop. */
    void govern(Channel connection) {
        member(connection).output.govern(connection);
    }

    /** A connection was closed. On its loop. */
    void disown(Channel connection) {
        member(connection).connections.remove(connection);
    }

    MultiThreadIoEventLoopGroup group() {
        return threads.group();
    }

    private Member member(Channel channel) {
        return Objects.requireNonNull(byExecutor.get(channel.eventLoop()), "a channel of another group");
    }

    private Executor whileOpen(EventLoop eventLoop) {
        return task -> {
            if (!isClosed) {
                EventLoops.execute(eventLoop, task);
            }
        };
    }

    /** Netty runs tasks for up to a second before it looks for input, but what is scheduled meanwhile comes after. */
    private Executor afterInput(EventLoop eventLoop) {
        return task -> {
            if (!isClosed) {
                var unused = eventLoop.schedule(task, 0, TimeUnit.NANOSECONDS);
            }
        };
    }

    private static Future<?> ticker(EventLoop eventLoop, IoLoop loop) {
        // As a task of its own: a periodic one that throws would be the last one.
        return eventLoop.scheduleAtFixedRate(() -> loop.execute(loop::tick), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Closes every connection that is still open, and gives the threads no more work; returns when they have none of
     * this broker left. The threads go on. Not for the loops themselves.
     */
    @Override
    public void close() {
        members.forEach(member -> member.ticker.cancel(false));
        onEach(Member::closeConnections);
        isClosed = true;
        onEach(member -> {}); // what was submitted before has run now
    }

    private void onEach(Consumer<Member> work) {
        CountDownLatch done = new CountDownLatch(members.size());
        for (Member member : members) {
            EventLoops.execute(member.eventLoop, () -> {
                Runnable last = () -> {
                    try {
                        work.accept(member);
                    } finally {
                        done.countDown();
                    }
                };
                // As the ends of batches: these come behind the tasks that are there already.
                var unused = member.eventLoop.schedule(last, 0, TimeUnit.NANOSECONDS);
            });
        }
        try {
            if (!done.await(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                LOG.warn("An event loop was not done with a broker that closes within {} s", CLOSE_TIMEOUT_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One loop and its connections, which are of its thread alone. */
    private static final class Member {
        private final EventLoop eventLoop;
        private final IoLoop loop;
        private final Future<?> ticker;
        private final HeldOutputs output;
        private final Set<Channel> connections = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean takesNoMore;

        Member(EventLoop eventLoop, IoLoop loop, Future<?> ticker, HeldOutputs output) {
            this.eventLoop = eventLoop;
            this.loop = loop;
            this.ticker = ticker;
            this.output = output;
        }

        void own(Channel connection) {
            if (takesNoMore) {
                connection.close();
            } else {
                connections.add(connection);
            }
        }

        /** Without a word to the clients: who has one for them has said it before. */
        void closeConnections() {
            takesNoMore = true;
            for (Channel connection : List.copyOf(connections)) {
                connection.unsafe().close(connection.unsafe().voidPromise());
            }
        }
    }
}

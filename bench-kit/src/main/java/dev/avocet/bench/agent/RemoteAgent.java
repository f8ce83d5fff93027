package dev.avocet.bench.agent;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.ClockOffset.Exchange;
import dev.avocet.bench.agent.Message.About;
import dev.avocet.bench.agent.Message.Done;
import dev.avocet.bench.agent.Message.Opened;
import dev.avocet.bench.agent.Message.Ping;
import dev.avocet.bench.agent.Message.Pong;
import dev.avocet.bench.agent.Message.Progress;
import dev.avocet.bench.agent.Message.Refused;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.run.RunClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An agent as its controller knows it. Owned by the thread that decides, but for {@link #listen}. */
final class RemoteAgent implements Closeable {
    private static final int EXCHANGES = 50;
    /** Where the way is so long that more would take too long. */
    private static final int LEAST_EXCHANGES = 5;

    private static final long EXCHANGING_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Wire wire;
    private final RunClock clock;
    private final About about;
    private final List<Exchange> lateExchanges = new ArrayList<>();
    private ClockOffset offset;
    private @Nullable Opened opened;
    private @Nullable Done done;
    private @Nullable String fault;
    private Progress progress = new Progress(Phase.OPEN, Tally.NONE, false);

    /** What an agent says, or null when it has gone. */
    record Event(RemoteAgent from, @Nullable Message message, long atNs, String fault) {}

    private RemoteAgent(String name, Wire wire, RunClock clock, About about, ClockOffset offset) {
        this.name = name;
        this.wire = wire;
        this.clock = clock;
        this.about = about;
        this.offset = offset;
    }

    /** @throws IllegalArgumentException with a message for the user, if it cannot serve */
    static RemoteAgent connect(
            String name, InetSocketAddress address, Credentials credentials, String version, RunClock clock) {
        return connect(name, address, credentials, version, clock, Patience.USUAL);
    }

    static RemoteAgent connect(
            String name,
            InetSocketAddress address,
            Credentials credentials,
            String version,
            RunClock clock,
            Patience patience) {
        Socket carrier = null;
        try {
            carrier = Credentials.connect(address);
            Wire wire = new Wire(carrier, credentials.asController(carrier), patience);
            Login.asController(wire, credentials.secret(), version);
            Message first = wire.receive();
            if (first instanceof Refused refused) {
                throw new IllegalArgumentException(refused.why());
            }
            if (!(first instanceof About about)) {
                throw new IllegalArgumentException("is not an agent");
            }
            return new RemoteAgent(name, wire, clock, about, offset(wire, clock, about));
        } catch (IOException unreachable) {
            close(carrier);
            throw new IllegalArgumentException(
                    String.format(
                            ROOT, "agent %s cannot be reached: %s", name, Mismatch.text(unreachable, credentials)),
                    unreachable);
        } catch (IllegalArgumentException mistake) {
            close(carrier);
            throw new IllegalArgumentException(String.format(ROOT, "agent %s %s", name, mistake.getMessage()), mistake);
        }
    }

    private static ClockOffset offset(Wire wire, RunClock clock, About about) throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        long enoughNs = clock.nanoTime() + EXCHANGING_NS;
        for (int i = 0; i < LEAST_EXCHANGES || (i < EXCHANGES && clock.nanoTime() - enoughNs < 0); i++) {
            wire.send(new Ping(clock.nanoTime()));
            if (!(wire.receive() instanceof Pong pong)) {
                throw new IOException("no answer to a ping");
            }
            exchanges.add(new Exchange(pong.sentNs(), pong.agentNs(), clock.nanoTime()));
        }
        ClockOffset measured = ClockOffset.of(exchanges);
        return about.clock().equals(Agent.clockName()) && measured.mayBeNone() ? ClockOffset.SAME : measured;
    }

    private static void close(@Nullable Socket carrier) {
        try {
            if (carrier != null) {
                carrier.close();
            }
        } catch (IOException alreadyGone) {
            return;
        }
    }

    /** Puts all that it says in a queue, until it has gone. A thread of its own. */
    void listen(BlockingQueue<Event> events) {
        try {
            listenUntilItEnds(events);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void listenUntilItEnds(BlockingQueue<Event> events) throws InterruptedException {
        try {
            while (true) {
                Message message = wire.receive();
                events.put(new Event(this, message, clock.nanoTime(), ""));
            }
        } catch (IOException gone) {
            events.put(new Event(this, null, clock.nanoTime(), String.valueOf(gone.getMessage())));
        }
    }

    /** If it cannot be sent, {@link #listen} will say so. */
    void tell(Message message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            wire.close();
        }
    }

    void ping() {
        tell(new Ping(clock.nanoTime()));
    }

    void onPong(Pong pong, long receivedNs) {
        lateExchanges.add(new Exchange(pong.sentNs(), pong.agentNs(), receivedNs));
    }

    int pongs() {
        return lateExchanges.size();
    }

    /** What was measured when it began, and when it ended. */
    ClockOffset offset() {
        return offset.equals(ClockOffset.SAME) || lateExchanges.isEmpty()
                ? offset
                : offset.until(ClockOffset.of(lateExchanges));
    }

    void onOpened(Opened message) {
        opened = message;
    }

    void onProgress(Progress message) {
        progress = message;
    }

    void onDone(Done message) {
        done = message;
    }

    void onFault(String why) {
        if (fault == null && done == null) {
            fault = why;
        }
    }

    String name() {
        return name;
    }

    About about() {
        return about;
    }

    @Nullable Opened opened() {
        return opened;
    }

    Progress progress() {
        return progress;
    }

    @Nullable Done done() {
        return done;
    }

    /** Why it has gone; null while it has not. */
    @Nullable String fault() {
        return fault;
    }

    /** What is known of its account. */
    Tally tally() {
        return done == null ? progress.tally() : done.tally();
    }

    @Override
    public void close() {
        wire.close();
    }
}

package dev.avocet.bench.agent;

import dev.avocet.bench.agent.Message.About;
import dev.avocet.bench.agent.Message.ChangeRate;
import dev.avocet.bench.agent.Message.Finish;
import dev.avocet.bench.agent.Message.Forget;
import dev.avocet.bench.agent.Message.Look;
import dev.avocet.bench.agent.Message.Others;
import dev.avocet.bench.agent.Message.Ping;
import dev.avocet.bench.agent.Message.Pong;
import dev.avocet.bench.agent.Message.Prepare;
import dev.avocet.bench.agent.Message.Start;
import dev.avocet.bench.agent.Message.StopSending;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** An agent's talk with the controller that it serves. One thread listens in {@link #serve}. */
final class Conversation {
    private static final long TICK_MS = 10;

    private final Wire wire;
    private final RunClock clock;
    private final AtomicReference<PartLeader> leader = new AtomicReference<>();
    private final AtomicReference<Thread> leading = new AtomicReference<>();

    Conversation(Wire wire, RunClock clock) {
        this.wire = wire;
        this.clock = clock;
    }

    /** Until the controller has gone, and what it had asked for has ended. */
    void serve(About about) throws IOException {
        ScheduledExecutorService ticker =
                Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "report"));
        try {
            wire.send(about);
            ticker.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
            while (true) {
                onMessage(wire.receive());
            }
        } finally {
            // A sender whose other side takes nothing is woken by it.
            wire.close();
            ticker.shutdownNow();
            end();
        }
    }

    private void onMessage(Message message) throws IOException {
        PartLeader led = leader.get();
        if (message instanceof Ping ping) {
            wire.send(new Pong(ping.sentNs(), clock.nanoTime()));
        } else if (message instanceof Prepare order && led == null) {
            begin(order);
        } else if (led == null) {
            throw new IOException("a message that has no meaning before a run is prepared");
        } else if (message instanceof Start start) {
            led.start(start.startNs());
        } else if (message instanceof Others others) {
            led.othersUnderWay(others.underWay());
        } else if (message instanceof Look || message instanceof Forget || message instanceof ChangeRate) {
            led.command(message);
        } else if (message instanceof StopSending) {
            led.stopSending();
        } else if (message instanceof Finish) {
            led.finish();
        } else {
            throw new IOException("a message that agents do not get");
        }
    }

    private void begin(Prepare order) {
        PartLeader led = new PartLeader(order, clock, this::tell);
        leader.set(led);
        Thread thread = new Thread(led, "part");
        leading.set(thread);
        thread.start();
    }

    private void tick() {
        PartLeader led = leader.get();
        if (led != null) {
            tell(led.progress());
        }
    }

    /** When the controller has gone, who listens to it notices. */
    private void tell(Message message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            wire.close();
        }
    }

    /** However long it takes: what is left of a run would spoil the next one. */
    private void end() {
        PartLeader led = leader.get();
        Thread thread = leading.get();
        if (led == null || thread == null) {
            return;
        }
        led.abandon();
        try {
            thread.join();
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.avocet.bench.agent;

import dev.avocet.bench.agent.Message.About;
import dev.avocet.bench.agent.Message.Refused;
import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.run.RunClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** What a machine runs to take part in runs: serves one controller at a time. Any thread may close it. */
public final class Agent implements Closeable {
    private static final int MOST_CONNECTIONS = 16;
    private static final long LOGIN_MS = 10_000;
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String NOBODY = "";

    private final Credentials credentials;
    private final String version;
    private final RunClock clock;
    private final PrintWriter log;
    private final ServerSocket server;
    private final ScheduledExecutorService reaper =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "reaper"));
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<String> served = new AtomicReference<>(NOBODY);
    private final CountDownLatch isClosed = new CountDownLatch(1);

    /** Listens from here on. @param log gets a line for whatever happens */
    Agent(InetSocketAddress address, Credentials credentials, String version, RunClock clock, PrintWriter log)
            throws IOException {
        this.credentials = credentials;
        this.version = version;
        this.clock = clock;
        this.log = log;
        server = credentials.listen(address);
        daemon(this::accept, "agent").start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    void awaitClosed() throws InterruptedException {
        isClosed.await();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (sockets.size() < MOST_CONNECTIONS) {
                    sockets.add(socket);
                    daemon(() -> serve(socket), "controller").start();
                } else {
                    socket.close();
                }
            } catch (IOException closedOrGone) {
                // Too many open files, for instance, end on their own.
                LockSupport.parkNanos(REST_NS);
            }
        }
    }

    private void serve(Socket socket) {
        String name = socket.getInetAddress().getHostAddress();
        // Whatever a stranger does, it has no more than this time for it.
        ScheduledFuture<?> deadline = reaper.schedule(() -> close(socket), LOGIN_MS, TimeUnit.MILLISECONDS);
        try (Wire wire = new Wire(socket)) {
            Login.asAgent(wire, credentials.secret(), version);
            deadline.cancel(false);
            if (served.compareAndSet(NOBODY, name)) {
                converse(wire, name);
            } else {
                wire.send(new Refused("is busy with a run of " + served.get()));
            }
        } catch (IOException ended) {
            say(name + ": " + ended.getMessage());
        } finally {
            deadline.cancel(false);
            sockets.remove(socket);
        }
    }

    private void converse(Wire wire, String name) {
        say(name + ": serves its run");
        try {
            new Conversation(wire, clock).serve(about());
        } catch (IOException ended) {
            say(name + ": gone");
        } finally {
            served.set(NOBODY);
        }
    }

    private About about() {
        return new About(
                clockName(),
                clockName() + " " + ProcessHandle.current().pid(),
                Environment.capture(version, List.of("agent")));
    }

    /** The monotonic clock of a machine is the same for all its processes until it boots again. */
    static String clockName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException notLinux) {
            return "process " + ProcessHandle.current().pid() + " of " + InetAddress.getLoopbackAddress();
        }
    }

    private void say(String line) {
        log.println(line);
        log.flush();
    }

    /** Ends its run, if it has one. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyGone) {
            say(String.valueOf(alreadyGone.getMessage()));
        }
        sockets.forEach(Agent::close);
        reaper.shutdownNow();
        isClosed.countDown();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            return;
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}

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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a machine runs to take part in runs: serves one controller at a time. Any thread may close it. */
public final class Agent implements Closeable {
    static final int MOST_CONNECTIONS = 16;
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Credentials credentials;
    private final String version;
    private final RunClock clock;
    private final Patience patience;
    private final PrintWriter log;
    private final ServerSocket server;
    private final ScheduledExecutorService reaper =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "reaper"));
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Semaphore isFree = new Semaphore(1);
    private volatile String served = "";
    private final CountDownLatch isClosed = new CountDownLatch(1);

    /**
     * Listens from here on.
     *
     * @param log gets a line for each event
     */
    Agent(
            InetSocketAddress address,
            Credentials credentials,
            String version,
            RunClock clock,
            Patience patience,
            PrintWriter log)
            throws IOException {
        this.credentials = credentials;
        this.version = version;
        this.clock = clock;
        this.patience = patience;
        this.log = log;
        server = Credentials.listen(address);
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
        // A client that has not logged in has no more than this time, even if it goes on to send.
        ScheduledFuture<?> deadline = reaper.schedule(() -> close(socket), patience.loginMs(), TimeUnit.MILLISECONDS);
        try {
            Wire wire = new Wire(socket, credentials.asAgent(socket), patience);
            Login.asAgent(wire, credentials.secret(), version);
            if (!deadline.cancel(false)) {
                throw new IOException("its login took too long");
            }
            serve(wire, name);
        } catch (IOException ended) {
            say(name + ": " + Mismatch.text(ended, credentials));
            letLeave(socket);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        } finally {
            close(socket);
            deadline.cancel(false);
            sockets.remove(socket);
        }
    }

    /**
     * Says no more and waits until the other side has gone too, or has had its time: who closes a connection with bytes
     * that was not read takes back what it has said, such as why.
     */
    private static void letLeave(Socket socket) {
        try {
            if (!socket.isClosed()) {
                socket.shutdownOutput();
                socket.getInputStream().readNBytes(Wire.STRANGER_BYTES);
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** A run that has just been told to end, as that of a controller which repeats it, may still be ending. */
    private void serve(Wire wire, String name) throws IOException, InterruptedException {
        if (!isFree.tryAcquire(patience.freeMs(), TimeUnit.MILLISECONDS)) {
            wire.send(new Refused("is busy with a run of " + served));
            return;
        }
        served = name;
        try {
            converse(wire, name);
        } finally {
            isFree.release();
        }
    }

    private void converse(Wire wire, String name) {
        say(name + ": serves its run");
        try {
            new Conversation(wire, clock).serve(about());
        } catch (IOException ended) {
            say(name + ": gone: " + ended.getMessage());
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

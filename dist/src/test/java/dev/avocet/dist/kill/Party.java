package dev.avocet.dist.kill;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client with a session that comes back whenever the broker does. Runs on a thread of its own. */
abstract class Party implements Runnable {
    private final int port;
    private final String clientId;
    private boolean connectedBefore;
    private volatile boolean stopped;
    private volatile @Nullable String problem;

    Party(int port, String clientId) {
        this.port = port;
        this.clientId = clientId;
    }

    @Override
    public final void run() {
        while (!stopped) {
            try (WireClient client = new WireClient(port, clientId)) {
                if (connectedBefore && !client.sessionPresent()) {
                    problem = clientId + " has lost its session";
                    return;
                }
                serve(client);
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // the broker is down, or has just gone
            } catch (RuntimeException | Error e) {
                problem = clientId + ": " + e;
                return;
            }
        }
    }

    /** Works on one connection until it breaks or the party is to stop. */
    abstract void serve(WireClient client) throws IOException;

    /** The session is acknowledged: from now on it must not be lost. */
    final void sessionIsDurable() {
        connectedBefore = true;
    }

    final boolean isStopped() {
        return stopped;
    }

    final void stop() {
        stopped = true;
    }

    /** What this party found wrong, or null. */
    final @Nullable String problem() {
        return problem;
    }

    final void complain(String what) {
        problem = clientId + ": " + what;
    }
}

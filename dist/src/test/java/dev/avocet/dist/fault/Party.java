package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client with a session that comes back whenever the broker does. Runs on a thread of its own. */
abstract class Party implements Runnable {
    private final int port;
    private final String clientId;
    private final int protocolLevel;
    private boolean connectedBefore;
    private volatile int connections;
    private volatile boolean connected;
    private volatile boolean away;
    private volatile boolean stopped;
    private volatile @Nullable String problem;

    Party(int port, String clientId) {
        this(port, clientId, WireClient.MQTT_3_1_1);
    }

    Party(int port, String clientId, int protocolLevel) {
        this.port = port;
        this.clientId = clientId;
        this.protocolLevel = protocolLevel;
    }

    @Override
    public final void run() {
        while (!stopped) {
            if (away) {
                pause(20);
                continue;
            }
            try (WireClient client = new WireClient(port, clientId, protocolLevel)) {
                connections++;
                if (connectedBefore && !client.sessionPresent()) {
                    problem = clientId + " has lost its session";
                    return;
                }
                connected = true;
                serve(client);
            } catch (IOException e) {
                pause(20); // the broker is down, or has just gone
            } catch (RuntimeException | Error e) {
                problem = clientId + ": " + e;
                return;
            } finally {
                connected = false;
            }
        }
    }

    /** Works on one connection until it breaks or the party is to stop. */
    abstract void serve(WireClient client) throws IOException;

    /** How often it has connected. */
    final int connections() {
        return connections;
    }

    final boolean isConnected() {
        return connected;
    }

    /** Leaves after the next packet and keeps away. */
    final void leave() {
        away = true;
    }

    final void comeBack() {
        away = false;
    }

    /** The session is acknowledged: from now on it must not be lost. */
    final void sessionIsDurable() {
        connectedBefore = true;
    }

    /** True while the connection is to be served. */
    final boolean isHere() {
        return !stopped && !away;
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

    static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}

package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client with a session that comes back whenever a broker does. Runs on a thread of its own. */
public abstract class Party implements Runnable {
    private final int[] ports;
    private final String clientId;
    private final int protocolLevel;
    private final int timeoutMs;
    private int turn;
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
        this(new int[] {port}, clientId, protocolLevel, WireClient.TIMEOUT_MS);
    }

    /** @param ports of brokers of which one serves clients: each is tried in turn */
    protected Party(int[] ports, String clientId, int timeoutMs) {
        this(ports, clientId, WireClient.MQTT_3_1_1, timeoutMs);
    }

    private Party(int[] ports, String clientId, int protocolLevel, int timeoutMs) {
        this.ports = ports.clone();
        this.clientId = clientId;
        this.protocolLevel = protocolLevel;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public final void run() {
        while (!stopped) {
            if (away) {
                pause(20);
                continue;
            }
            try (WireClient client = new WireClient(ports[turn], clientId, protocolLevel, timeoutMs)) {
                connections++;
                if (connectedBefore && !client.sessionPresent()) {
                    problem = clientId + " has lost its session";
                    return;
                }
                connected = true;
                serve(client);
            } catch (IOException e) {
                turn = (turn + 1) % ports.length;
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
    protected abstract void serve(WireClient client) throws IOException;

    /** How often it has connected. */
    public final int connections() {
        return connections;
    }

    public final boolean isConnected() {
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
    protected final void sessionIsDurable() {
        connectedBefore = true;
    }

    /** True while the connection is to be served. */
    protected final boolean isHere() {
        return !stopped && !away;
    }

    public final void stop() {
        stopped = true;
    }

    /** What this party found wrong, or null. */
    public final @Nullable String problem() {
        return problem;
    }

    protected final void complain(String what) {
        problem = clientId + ": " + what;
    }

    protected static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}

package dev.avocet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers whose port must be known before they listen, or that come back to the port that they had.
 *
 * <p>A port that was bound to 0 and closed again lies where the kernel takes the ports of outgoing connections from,
 * and any connection on the machine may have it by the time that the server wants it. These lie below that range
 * (32,768 and up on Linux), and a process does not give one out twice.
 */
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    /** Test processes that run side by side begin at places of their own. */
    private static final AtomicInteger ASKED =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 257 % COUNT));

    private FreePort() {}

    /** Returns a port at which no program listens, on any address of this machine. */
    public static int next() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + Math.floorMod(ASKED.getAndIncrement(), COUNT);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        return canListen(port, null) && canListen(port, InetAddress.getLoopbackAddress());
    }

    private static boolean canListen(int port, @Nullable InetAddress address) {
        try (ServerSocket socket = new ServerSocket(port, 1, address)) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.avocet.bench.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/** Those who connect to an agent and are no controllers. */
final class Strangers {
    private static final int PATIENCE_MS = 20_000;

    private Strangers() {}

    static Socket connect(InetSocketAddress agent) throws IOException {
        Socket socket = new Socket(agent.getAddress(), agent.getPort());
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    /** @return how many bytes there were until the other side closed */
    static int readToTheEnd(InputStream in) throws IOException {
        int bytes = 0;
        try {
            while (in.read() >= 0) {
                bytes++;
            }
        } catch (SocketException reset) {
            return bytes;
        }
        return bytes;
    }
}

package dev.avocet.server.jms;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between client and broker, knows the frames that pass, and cuts the line at one of them: before or after it is
 * passed on.
 */
final class FrameProxy implements AutoCloseable {
    private static final int PROTOCOL_HEADER = 0x414D_5150;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    /** An amqp-value section with a discharge in it. */
    private static final String DISCHARGE = "\0Sw\0S2";

    private static final String TRANSACTIONAL_STATE = "\0S4";
    private static final String DECLARE = "\0Sw\0S1";

    /** What may be counted. */
    enum Kind {
        /** A message. */
        MESSAGE,
        /** Somebody settles. */
        DISPOSITION,
        /** The client ends a transaction. */
        DISCHARGE,
        /** The broker says that it has ended. */
        DISCHARGED,
        OTHER
    }

    /** Where the line is cut. */
    record Place(boolean fromClient, Kind kind, int number, boolean before) {}

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int brokerPort;
    private final Place place;
    private final Runnable whenCut;
    private final List<Socket> lines = new CopyOnWriteArrayList<>();
    private int counted;
    private boolean discharging;
    private boolean cut;

    /** @param whenCut runs once, on a thread of this */
    FrameProxy(int brokerPort, Place place, Runnable whenCut) throws IOException {
        this.brokerPort = brokerPort;
        this.place = place;
        this.whenCut = whenCut;
        thread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    // synchronized: both directions count and look.
    synchronized boolean isCut() {
        return cut;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        closeLines();
    }

    private void closeLines() throws IOException {
        for (Socket line : lines) {
            line.close();
        }
        lines.clear();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                lines.add(client);
                connect(client);
            } catch (IOException e) {
                // closed, or the broker is not there yet: the client comes again
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            lines.add(broker);
            thread(() -> pass(client, broker, true));
            thread(() -> pass(broker, client, false));
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private void pass(Socket from, Socket to, boolean fromClient) {
        try (from;
                to) {
            DataInputStream input = new DataInputStream(from.getInputStream());
            OutputStream output = to.getOutputStream();
            while (true) {
                byte[] frame = read(input);
                boolean here = count(frame, fromClient);
                if (!here || !place.before()) {
                    output.write(frame);
                    output.flush();
                }
                if (here) {
                    closeLines();
                    whenCut.run();
                    return;
                }
            }
        } catch (IOException e) {
            return; // one of the two has closed
        }
    }

    private static byte[] read(DataInputStream input) throws IOException {
        int size = input.readInt();
        int rest = size == PROTOCOL_HEADER ? 4 : size - 4;
        byte[] frame = new byte[4 + rest];
        frame[0] = (byte) (size >> 24);
        frame[1] = (byte) (size >> 16);
        frame[2] = (byte) (size >> 8);
        frame[3] = (byte) size;
        input.readFully(frame, 4, rest);
        if (frame.length < 4) {
            throw new EOFException();
        }
        return frame;
    }

    // synchronized: as above.
    private synchronized boolean count(byte[] frame, boolean fromClient) {
        Kind kind = kind(frame);
        if (fromClient && kind == Kind.DISCHARGE) {
            discharging = true;
        } else if (!fromClient && kind == Kind.DISPOSITION && discharging && !isInTransaction(frame)) {
            discharging = false;
            kind = Kind.DISCHARGED;
        }
        if (cut || fromClient != place.fromClient() || kind != place.kind()) {
            return false;
        }
        counted++;
        cut = counted == place.number();
        return cut;
    }

    /** An answer to messages, which may come behind their discharge. */
    private static boolean isInTransaction(byte[] frame) {
        return new String(frame, StandardCharsets.ISO_8859_1).contains(TRANSACTIONAL_STATE);
    }

    private static Kind kind(byte[] frame) {
        int body = 4 * frame[4];
        if (frame.length < body + 3 || frame[0] == 'A' || frame[5] != 0) {
            return Kind.OTHER; // a protocol header, an empty frame, SASL
        }
        return switch (frame[body + 2]) {
            case TRANSFER -> {
                String bytes = new String(frame, StandardCharsets.ISO_8859_1);
                if (bytes.contains(DISCHARGE)) {
                    yield Kind.DISCHARGE;
                }
                yield bytes.contains(DECLARE) ? Kind.OTHER : Kind.MESSAGE;
            }
            case DISPOSITION -> Kind.DISPOSITION;
            default -> Kind.OTHER;
        };
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "frame proxy");
        thread.setDaemon(true);
        thread.start();
    }
}

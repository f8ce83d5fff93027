package dev.avocet.jms;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Speaks as much AMQP as a client needs to receive one text; at one point, once, it says something else. */
final class ScriptedServer implements AutoCloseable {
    /** What it answers, in the order in which a client asks. */
    @SuppressWarnings("ImmutableEnumChecker") // they are copied
    enum Turn {
        SASL_HEADER(header(3)),
        MECHANISMS(frame(1, 0, described(0x40, list(symbol("ANONYMOUS"))))),
        OUTCOME(frame(1, 0, described(0x44, list(new byte[] {0x50, 0})))),
        AMQP_HEADER(header(0)),
        OPEN(frame(0, 0, described(0x10, list(string("server"), string("host"), uint(65_536), ushort(100))))),
        BEGIN(frame(0, 0, described(0x11, list(ushort(0), uint(0), uint(1_000), uint(1_000), uint(100))))),
        /** Of a link that nobody has asked for; the true one is made for each client. */
        ATTACH(frame(0, 0, attach("link"))),
        TRANSFER(frame(0, 0, joined(transfer(), described(0x77, string("well")))));

        private final byte[] answer;

        Turn(final byte[] answer) {
            this.answer = answer;
        }

        byte[] answer() {
            return answer.clone();
        }
    }

    /** In a frame whose size has been read. */
    private static final int LIST_AT = 7;

    private static final byte[] CUT = {};

    private record Instead(Turn turn, byte[] bytes) {}

    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicReference<Instead> instead = new AtomicReference<>();

    ScriptedServer() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The next answer of that turn is another one. */
    void say(final Turn turn, final byte[] bytes) {
        instead.set(new Instead(turn, bytes));
    }

    /** Has the connection end, once, where that answer is due. */
    void cutInsteadOf(final Turn turn) {
        instead.set(new Instead(turn, CUT));
    }

    /** Ends its connections, and returns when the clients have closed them, too. */
    void cut() throws IOException {
        for (final Socket socket : sockets) {
            socket.shutdownOutput();
        }
        await().until(sockets::isEmpty);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (final Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                final Socket client = listening.accept();
                sockets.add(client);
                thread(() -> serve(client));
            }
        } catch (final IOException e) {
            return; // the end of the test
        }
    }

    private void serve(final Socket client) {
        try (client) {
            final DataInputStream input = new DataInputStream(client.getInputStream());
            final OutputStream output = client.getOutputStream();
            while (true) {
                answer(input, output);
            }
        } catch (final IOException e) {
            sockets.remove(client);
        }
    }

    private void answer(final DataInputStream input, final OutputStream output) throws IOException {
        final int size = input.readInt();
        if (size == 0x414d5150) {
            if (input.readInt() >>> 24 == 3) {
                say(output, Turn.SASL_HEADER);
                say(output, Turn.MECHANISMS);
            } else {
                say(output, Turn.AMQP_HEADER);
            }
            return;
        }
        final byte[] frame = new byte[size - 4];
        input.readFully(frame);
        switch (frame.length > 6 ? frame[6] : 0) {
            case 0x41 -> say(output, Turn.OUTCOME);
            case 0x10 -> say(output, Turn.OPEN);
            case 0x11 -> say(output, Turn.BEGIN);
            case 0x12 -> {
                say(output, Turn.ATTACH, frame(0, 0, attach(linkOf(frame))));
                say(output, Turn.TRANSFER);
            }
            case 0x16 -> output.write(frame(0, 0, described(0x16, list(uint(0), new byte[] {0x41}))));
            case 0x17 -> output.write(frame(0, 0, described(0x17, list())));
            case 0x18 -> output.write(frame(0, 0, described(0x18, list())));
            default -> {
                // flows and dispositions
            }
        }
    }

    /** The first field of an attach. */
    private static String linkOf(final byte[] frame) {
        final int at = LIST_AT + (frame[LIST_AT] == (byte) 0xc0 ? 3 : 9);
        return new String(frame, at + 2, frame[at + 1] & 0xff, StandardCharsets.US_ASCII);
    }

    private void say(final OutputStream output, final Turn turn) throws IOException {
        say(output, turn, turn.answer);
    }

    private void say(final OutputStream output, final Turn turn, final byte[] answer) throws IOException {
        final Instead other = instead.get();
        if (other != null && other.turn == turn && instead.compareAndSet(other, null)) {
            if (other.bytes == CUT) {
                throw new EOFException("cut");
            }
            output.write(other.bytes);
        } else {
            output.write(answer);
        }
    }

    static byte[] header(final int protocol) {
        return new byte[] {'A', 'M', 'Q', 'P', (byte) protocol, 1, 0, 0};
    }

    static byte[] frame(final int type, final int channel, final byte[] body) {
        return ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(body)
                .array();
    }

    static byte[] transfer() {
        return described(0x14, list(uint(0), uint(0), new byte[] {(byte) 0xa0, 1, 't'}, uint(0), new byte[] {0x42}));
    }

    private static byte[] attach(final String link) {
        return described(
                0x12,
                list(
                        string(link),
                        uint(0),
                        new byte[] {0x42},
                        new byte[] {0x50, 0},
                        new byte[] {0x50, 0},
                        described(0x28, list(string("queue"))),
                        described(0x29, list()),
                        new byte[] {0x40},
                        new byte[] {0x42},
                        uint(0)));
    }

    static byte[] described(final int code, final byte[] value) {
        return joined(new byte[] {0, 0x53, (byte) code}, value);
    }

    static byte[] list(final byte[]... elements) {
        final byte[] content = joined(elements);
        return joined(
                ByteBuffer.allocate(9)
                        .put((byte) 0xd0)
                        .putInt(content.length + 4)
                        .putInt(elements.length)
                        .array(),
                content);
    }

    static byte[] string(final String text) {
        return joined(new byte[] {(byte) 0xa1, (byte) text.length()}, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] symbol(final String text) {
        return joined(new byte[] {(byte) 0xa3, (byte) text.length()}, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] uint(final int value) {
        return ByteBuffer.allocate(5).put((byte) 0x70).putInt(value).array();
    }

    private static byte[] ushort(final int value) {
        return ByteBuffer.allocate(3).put((byte) 0x60).putShort((short) value).array();
    }

    static byte[] joined(final byte[]... parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static void thread(final Runnable task) {
        final Thread thread = new Thread(task, "scripted server");
        thread.setDaemon(true);
        thread.start();
    }
}

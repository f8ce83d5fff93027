package dev.avocet.jms.client.wire;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;

/**
 * Lets everybody in, and does with each connection what the test says when its open has come. One thread for each
 * connection.
 */
final class ScriptedServer implements AutoCloseable {
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    /** sasl-mechanisms: ANONYMOUS. */
    private static final byte[] MECHANISMS = {
        0,
        0,
        0,
        25,
        2,
        1,
        0,
        0,
        0,
        0x53,
        0x40,
        (byte) 0xC0,
        12,
        1,
        (byte) 0xA3,
        9,
        'A',
        'N',
        'O',
        'N',
        'Y',
        'M',
        'O',
        'U',
        'S'
    };
    /** sasl-outcome: ok. */
    private static final byte[] OUTCOME = {0, 0, 0, 16, 2, 1, 0, 0, 0, 0x53, 0x44, (byte) 0xC0, 3, 1, 0x50, 0};

    /** What one read of the client's causes goes out together. */
    private static final int BATCH_BYTES = 64 * 1024;

    private final ServerSocket listening;
    private final ObjIntConsumer<Connection> script;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** @param script gets each connection, and how many there were before */
    ScriptedServer(final ObjIntConsumer<Connection> script) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.script = script;
        thread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** How many clients have sent their open. */
    int connections() {
        return connections.get();
    }

    /** Loses all its connections; new ones may come. */
    void cut() {
        try {
            for (final Socket socket : sockets) {
                socket.close();
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                final Socket socket = listening.accept();
                sockets.add(socket);
                thread(() -> serve(socket));
            } catch (final IOException e) {
                return; // closed: the end of the test
            }
        }
    }

    private void serve(final Socket socket) {
        try (socket) {
            final DataInputStream input = new DataInputStream(socket.getInputStream());
            final OutputStream output = new BufferedOutputStream(socket.getOutputStream(), BATCH_BYTES);
            input.readNBytes(SASL_HEADER.length);
            output.write(SASL_HEADER);
            output.write(MECHANISMS);
            output.flush();
            input.skipNBytes(input.readInt() - Integer.BYTES);
            output.write(OUTCOME);
            output.flush();
            speak(input, output);
        } catch (final IOException e) {
            return; // the client has gone
        }
    }

    private void speak(final DataInputStream input, final OutputStream output) throws IOException {
        final Engine engine = EngineFactory.PROTON.createNonSaslEngine();
        engine.outputHandler((frame, written) -> {
            final byte[] bytes = new byte[frame.getReadableBytes()];
            frame.readBytes(bytes, 0, bytes.length);
            write(output, bytes);
        });
        engine.errorHandler(failed -> {});
        engine.connection().openHandler(open -> {
            open.setContainerId("scripted");
            script.accept(open, connections.getAndIncrement());
        });
        engine.connection().closeHandler(Connection::close);
        engine.start();
        flush(output);
        final byte[] bytes = new byte[4096];
        for (int count = input.read(bytes); count >= 0 && !engine.isFailed(); count = input.read(bytes)) {
            engine.ingest(
                    ProtonByteArrayBufferAllocator.wrapped(bytes, 0, count).copy());
            flush(output);
        }
    }

    private static void write(final OutputStream output, final byte[] bytes) {
        try {
            output.write(bytes);
        } catch (final IOException e) {
            return; // the client has gone
        }
    }

    private static void flush(final OutputStream output) {
        try {
            output.flush();
        } catch (final IOException e) {
            return; // the client has gone
        }
    }

    private static void thread(final Runnable task) {
        final Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }
}

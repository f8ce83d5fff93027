package dev.avocet.bench.agent;

import static java.util.Locale.ROOT;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * A connection as messages: length, JSON, and, once both sides are known to each other, a code over the frame's number
 * and the JSON. One thread receives; any may send.
 */
final class Wire implements Closeable {
    /** From those who are not known yet. */
    static final int STRANGER_BYTES = 4096;

    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int CODE_BYTES = 32;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private final Socket carrier;
    private final int silenceMs;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final ReentrantLock sending = new ReentrantLock();
    private @Nullable Mac sendCode;
    private @Nullable Mac receiveCode;
    private long sent;
    private long received;

    /**
     * @param carrier what ends it
     * @param talk what is read and written; the carrier itself, or TLS on it
     */
    Wire(Socket carrier, Socket talk, Patience patience) throws IOException {
        this.carrier = carrier;
        silenceMs = patience.silenceMs();
        carrier.setTcpNoDelay(true);
        carrier.setSoTimeout(silenceMs);
        in = new DataInputStream(new BufferedInputStream(talk.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(talk.getOutputStream()));
    }

    /** From now on frames are larger and carry codes. */
    void trust(byte[] sendKey, byte[] receiveKey) {
        sendCode = Secret.mac(sendKey);
        receiveCode = Secret.mac(receiveKey);
    }

    void send(Message message) throws IOException {
        byte[] json = JSON.writerFor(Message.class).writeValueAsBytes(message);
        sending.lock();
        try {
            out.writeInt(json.length);
            out.write(json);
            if (sendCode != null) {
                out.write(code(sendCode, sent++, json));
            }
            out.flush();
        } finally {
            sending.unlock();
        }
    }

    /** @throws IOException when the connection ends, is silent for too long, or says what is no message */
    Message receive() throws IOException {
        try {
            Mac mac = receiveCode;
            int length = in.readInt();
            if (length < 0 || length > (mac == null ? STRANGER_BYTES : MOST_BYTES)) {
                throw new IOException("a frame of " + length + " bytes");
            }
            byte[] json = new byte[length];
            in.readFully(json);
            if (mac != null) {
                byte[] code = new byte[CODE_BYTES];
                in.readFully(code);
                if (!Secret.areEqual(code, code(mac, received++, json))) {
                    throw new IOException("a frame that was changed on its way");
                }
            }
            return JSON.readValue(json, Message.class);
        } catch (SocketTimeoutException silent) {
            throw new IOException(String.format(ROOT, "nothing was heard of it for %.1f s", silenceMs / 1e3), silent);
        } catch (EOFException over) {
            throw new IOException("it closed the connection", over);
        } catch (JsonProcessingException noMessage) {
            throw new IOException("a frame that is not a message", noMessage);
        }
    }

    private static byte[] code(Mac mac, long number, byte[] json) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        return mac.doFinal(json);
    }

    /** Any thread; who waits in {@link #receive} is woken. */
    @Override
    public void close() {
        try {
            carrier.close();
        } catch (IOException alreadyGone) {
            return;
        }
    }
}

package dev.avocet.amqp.peer;

import dev.avocet.amqp.frame.Frame;
import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.trace.ConnectionTrace;
import dev.avocet.core.trace.Tracer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * Traces the frames of one connection, both ways: performatives with their fields and the size of what they carry.
 * Never a payload, and of the SASL dialogue nothing but its steps. Owned by the connection's loop; connections that are
 * not traced have none.
 */
public final class FrameTrace {
    private static final int SHOWN_CHARS = 2_000;
    private static final int SIZE_BYTES = 4;
    private static final int HEADER_BYTES = 8;
    private static final int SASL_FIRST = 0x40;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(0x10, "open"),
            Map.entry(0x11, "begin"),
            Map.entry(0x12, "attach"),
            Map.entry(0x13, "flow"),
            Map.entry(0x14, "transfer"),
            Map.entry(0x15, "disposition"),
            Map.entry(0x16, "detach"),
            Map.entry(0x17, "end"),
            Map.entry(0x18, "close"),
            Map.entry(0x40, "sasl-mechanisms"),
            Map.entry(0x41, "sasl-init"),
            Map.entry(0x42, "sasl-challenge"),
            Map.entry(0x43, "sasl-response"),
            Map.entry(0x44, "sasl-outcome"));
    /** What comes for each message, or only says that the client is there (0). */
    private static final Set<Integer> FREQUENT = Set.of(0, 0x13, 0x14, 0x15);

    private final ConnectionTrace trace;
    private final String client;
    private final Decoder decoder = CodecFactory.getDecoder();

    private FrameTrace(ConnectionTrace trace, String client) {
        this.trace = trace;
        this.client = client;
    }

    /** The trace of a connection; null when it is not to be traced. */
    public static @Nullable FrameTrace of(Tracer tracer, String containerId, ClientOrigin origin) {
        ConnectionTrace trace = tracer.traceOf(TraceComponent.JMS, containerId, origin);
        if (trace == null) {
            return null;
        }
        String address = origin.address() == null ? "?" : origin.address().getHostAddress();
        return new FrameTrace(trace, "'" + printable(containerId) + "' at " + address + " on " + origin.endpoint());
    }

    /** A frame has come. */
    public void received(Frame frame) {
        frame("<-", frame);
    }

    /** Whole frames are about to be sent. The buffer is left as it is. */
    void sent(ByteBuf frames) {
        byte[] bytes = ByteBufUtil.getBytes(frames);
        int from = 0;
        while (bytes.length - from >= HEADER_BYTES) {
            int length = isHeader(bytes, from) ? HEADER_BYTES : sizeAt(bytes, from);
            if (length < HEADER_BYTES || length > bytes.length - from) {
                break;
            }
            frame("->", new Frame(bytes, from, length));
            from += length;
        }
        if (from < bytes.length) {
            write("->", (bytes.length - from) + " bytes that are no frame");
        }
    }

    /** The connection is over. */
    public void ended() {
        write("--", "the connection has ended");
    }

    private void frame(String direction, Frame frame) {
        if (frame.isHeader()) {
            write(direction, "protocol header " + frame.protocolId());
            return;
        }
        int code = frame.performative();
        if (trace.level() >= ConnectionTrace.EVERY_PACKET || !FREQUENT.contains(code)) {
            write(direction, "channel " + frame.channel() + ", " + frame.length() + " bytes: " + describe(frame, code));
        }
    }

    private String describe(Frame frame, int code) {
        if (frame.bodyFrom() == frame.to()) {
            return "empty";
        }
        String name = NAMES.getOrDefault(code, "performative " + code);
        if (frame.isSasl() || code >= SASL_FIRST) {
            return name; // what proves a client's identity stays between the two
        }
        try {
            ProtonBuffer body = frame.body();
            Object performative = decoder.readObject(body, decoder.newDecoderState());
            int payload = body.getReadableBytes();
            return name
                    + ' '
                    + printable(String.valueOf(performative))
                    + (payload == 0 ? "" : ", payload of " + payload + " bytes");
        } catch (IllegalArgumentException | ClassCastException e) {
            return name + ", not to be decoded: " + printable(String.valueOf(e.getMessage()));
        }
    }

    private void write(String direction, String what) {
        trace.sink().write("jms " + direction + ' ' + client + ": " + what);
    }

    private static boolean isHeader(byte[] bytes, int at) {
        return new String(bytes, at, SIZE_BYTES, StandardCharsets.ISO_8859_1).equals("AMQP");
    }

    private static int sizeAt(byte[] bytes, int at) {
        int size = 0;
        for (int i = 0; i < SIZE_BYTES; i++) {
            size = size << Byte.SIZE | bytes[at + i] & 0xFF;
        }
        return size;
    }

    /** What clients choose must neither forge a line nor fill the file. */
    private static String printable(String text) {
        String shown = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
        return CONTROL.matcher(shown).replaceAll("?");
    }
}

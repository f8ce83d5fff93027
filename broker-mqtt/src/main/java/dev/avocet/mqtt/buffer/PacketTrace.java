package dev.avocet.mqtt.buffer;

import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.trace.ConnectionTrace;
import dev.avocet.core.trace.Tracer;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Traces the packets of one connection, both ways. Owned by the connection's loop; connections that are not traced have
 * none.
 */
public final class PacketTrace {
    /** What comes for each message, or only says that the client is there. */
    private static final Set<PacketType> FREQUENT = Set.of(
            PacketType.PUBLISH,
            PacketType.PUBACK,
            PacketType.PUBREC,
            PacketType.PUBREL,
            PacketType.PUBCOMP,
            PacketType.PINGREQ,
            PacketType.PINGRESP);

    private final ConnectionTrace trace;
    private final PacketText text;
    private final String client;
    private final ProtocolVersion version;

    private PacketTrace(ConnectionTrace trace, String client, ProtocolVersion version) {
        this.trace = trace;
        this.text = new PacketText(trace.shownPayloadBytes());
        this.client = client;
        this.version = version;
    }

    /** The trace of a connection; null when it is not to be traced. */
    public static @Nullable PacketTrace of(
            Tracer tracer, String clientId, ClientOrigin origin, ProtocolVersion version) {
        ConnectionTrace trace = tracer.traceOf(TraceComponent.MQTT, clientId, origin);
        if (trace == null) {
            return null;
        }
        String address = origin.address() == null ? "?" : origin.address().getHostAddress();
        return new PacketTrace(
                trace, PacketText.quoted(clientId) + " at " + address + " on " + origin.endpoint(), version);
    }

    /** A packet has come. */
    public void received(int header, byte[] bytes, int from, int to) {
        packet("<-", Sender.CLIENT, header, bytes, from, to);
    }

    /** Whole packets are about to be sent. The buffer is left as it is. */
    void sent(ByteBuf packets) {
        byte[] bytes = ByteBufUtil.getBytes(packets);
        PacketFramer framer = new PacketFramer();
        int from = 0;
        try {
            while (framer.next(bytes, from, bytes.length, PacketFramer.MAX_PACKET_SIZE_BYTES)) {
                packet("->", Sender.SERVER, framer.header(), bytes, framer.bodyFrom(), framer.bodyTo());
                from = framer.bodyTo();
            }
        } catch (MalformedPacketException e) {
            write("->", "bytes that are no packet: " + e.reason());
        }
    }

    /** The connection is over. */
    void ended() {
        write("--", "the connection has ended");
    }

    private void packet(String direction, Sender sender, int header, byte[] bytes, int from, int to) {
        PacketType type = PacketType.ofHeader(header);
        if (trace.level() >= ConnectionTrace.EVERY_PACKET || type == null || !FREQUENT.contains(type)) {
            write(direction, describe(sender, header, bytes, from, to));
        }
    }

    private String describe(Sender sender, int header, byte[] bytes, int from, int to) {
        try {
            return text.describe(
                    PacketType.ofHeader(header) == PacketType.CONNECT
                            ? PacketDecoder.decodeConnect(header, bytes, from, to)
                            : PacketDecoder.decode(sender, version, header, bytes, from, to));
        } catch (MalformedPacketException e) {
            return "type " + (header >>> 4) + " with " + (to - from) + " bytes, malformed: " + e.reason();
        }
    }

    private void write(String direction, String what) {
        trace.sink().write("mqtt " + direction + ' ' + client + ": " + what);
    }
}

package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.engine.flow.ByteQueue;
import dev.avocet.bench.mqtt.engine.flow.OwnPublisher;
import dev.avocet.bench.mqtt.engine.flow.PacketIdentifiers;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.flow.Responder;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.flow.Unacknowledged;
import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PacketType;
import org.jspecify.annotations.Nullable;

/**
 * What one client publishes, and what of it the server has not acknowledged; it outlives the client's connections.
 * Owned by its lane's loop; it does not allocate per message.
 */
final class Sender {
    private final Lane lane;
    private final Role role;

    /** Null where it publishes at QoS 0, or not at all. */
    private final @Nullable PacketIdentifiers identifiers;

    private int maxInFlight;
    private int turn;

    /** Whether its socket may be closed while what it published is under way. */
    private boolean mayBeCutOff;

    /** Of one that may be cut off, at QoS 1 and 2. */
    private @Nullable Unacknowledged unacknowledged;

    Sender(Lane lane, Role role) {
        this.lane = lane;
        this.role = role;
        identifiers = role.publishQos() > 0 && role.isPublishing() ? new PacketIdentifiers() : null;
        maxInFlight = Math.min(PacketIdentifiers.MAX, lane.load.maxInFlight());
    }

    /** To be called before the client connects. */
    void cutOffNowAndThen() {
        mayBeCutOff = true;
        unacknowledged = identifiers == null ? null : new Unacknowledged();
    }

    /** Whether it sends again what was not acknowledged before its socket was closed. */
    boolean keepsUnacknowledged() {
        return unacknowledged != null;
    }

    /** No more are under way from now on than the server takes. */
    void limitInFlight(int receiveMaximum) {
        maxInFlight = Math.min(maxInFlight, receiveMaximum);
    }

    /** Whether all that it has sent is acknowledged, so that the client can go and lose none; or it does not mind. */
    boolean canDropOff() {
        return mayBeCutOff || role.streams().length == 0 || identifiers == null || identifiers.inFlight() == 0;
    }

    /** The client has closed its socket: what is under way is noted as such. */
    void droppedOff(boolean isClean) {
        if (unacknowledged != null && isClean) {
            forgetUnacknowledged();
        } else if (mayBeCutOff && unacknowledged == null) {
            for (PublishStream stream : role.streams()) {
                lane.cutOff.end(stream);
            }
        }
    }

    /** The session is gone, and with it what was under way. */
    void forgetUnacknowledged() {
        if (unacknowledged != null) {
            unacknowledged.forget(lane.cutOff);
            if (identifiers != null) {
                identifiers.clear();
            }
        }
    }

    /** Whether its limits let it publish one more. */
    boolean mayPublish() {
        return (identifiers == null || identifiers.inFlight() < maxInFlight)
                && (unacknowledged == null || unacknowledged.stillAgain() == 0);
    }

    /** Adds its next PUBLISH. */
    void encode(ByteQueue to, int payload, long nowNs, long intendedNs) {
        OwnPublisher own = role.own();
        PublishStream stream = own == null ? nextStream() : own.next();
        int qos = own == null ? stream.qos() : own.qos();
        int identifier = qos == 0 || identifiers == null ? 0 : identifiers.take(nowNs);
        byte[] bytes = to.reserve(own == null ? stream.maxPacketBytes(lane.payloads) : own.maxPacketBytes());
        to.resize(
                own == null
                        ? stream.write(bytes, to.size(), identifier, lane.payloads, payload, intendedNs)
                        : own.write(bytes, to.size(), identifier, intendedNs));
        if (unacknowledged != null) {
            unacknowledged.sent(identifier, stream, payload, intendedNs);
        }
        lane.sent.increment();
        lane.expected.add(stream.copies());
    }

    private PublishStream nextStream() {
        PublishStream[] streams = role.streams();
        PublishStream stream = streams[turn];
        turn = turn + 1 == streams.length ? 0 : turn + 1;
        return stream;
    }

    /** The session goes on: what is not acknowledged goes out once more before anything new. */
    void beginAgain() {
        if (unacknowledged != null) {
            unacknowledged.beginAgain();
        }
    }

    /** Whether there is something to send once more, and its limits let it. */
    boolean mayPublishAgain() {
        return identifiers != null
                && unacknowledged != null
                && unacknowledged.stillAgain() > 0
                && identifiers.inFlight() - unacknowledged.stillAgain() < maxInFlight;
    }

    /** Adds the next one that goes out once more to the lane's output. */
    void writeNextAgain() {
        PublishStream stream = unacknowledged == null ? null : unacknowledged.writeNext(lane.output, lane.payloads);
        if (stream != null) {
            lane.storm.sentAgain(stream);
        }
    }

    /** Adds the PUBREL for it. @return false where the server refuses the message, which ends it */
    boolean onPubrec(byte[] array, int from, int to) {
        boolean isRefused = to - from > 2 && (array[from + 2] & 0xFF) >= PacketReader.FAILURE;
        if (isRefused) {
            return false;
        }
        if (unacknowledged != null) {
            unacknowledged.received(PacketReader.twoBytes(array, from));
        }
        lane.output.addAcknowledgement(PacketType.PUBREL, array, from);
        return true;
    }

    void acknowledged(int identifier, long readNs) {
        long takenNs = identifiers == null ? 0 : identifiers.release(identifier);
        if (takenNs != 0) {
            lane.latencies.acknowledge.record(readNs - takenNs);
        }
        if (unacknowledged != null) {
            unacknowledged.acknowledged(identifier);
        }
    }

    /** Adds the reply to the last request, or has it wait. @return false when it can do neither */
    boolean reply(Responder responder, long readNs) {
        return responder.reply(lane.output, identifiers, maxInFlight, readNs);
    }

    /** Adds replies that waited for an acknowledgement. */
    void releaseReplies(long readNs) {
        Responder responder = role.responder();
        if (identifiers != null && responder != null) {
            responder.release(lane.output, identifiers, maxInFlight, readNs);
        }
    }
}

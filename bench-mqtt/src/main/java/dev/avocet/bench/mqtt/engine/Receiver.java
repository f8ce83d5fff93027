package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.engine.flow.Correlation;
import dev.avocet.bench.mqtt.engine.flow.ListedSubscriptions;
import dev.avocet.bench.mqtt.engine.flow.Responder;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.flow.Subscriptions;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.MalformedPacketException;
import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PacketType;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What one client subscribes to and gets: counted, checked, answered and acknowledged, into the lane's output. It
 * outlives the client's connections. Owned by its lane's loop; it does not allocate per message.
 */
final class Receiver {
    private final Lane lane;
    private final Role role;
    private final Sender sender;
    private final int version;

    /** Of QoS 2, what it has received and the server has not released; only where sessions are resumed. */
    private final @Nullable BitSet unreleased;

    /** Whether one of its subscriptions has the server leave RETAIN as it was published. */
    private final boolean keepsRetain;

    Receiver(Lane lane, Role role, ControlPackets.Connect connect, Sender sender) {
        this.lane = lane;
        this.role = role;
        this.sender = sender;
        version = connect.version();
        boolean dropsWhatItHas =
                role.subscriptions() != null && role.subscriptions().qos() == 2 && !connect.isClean();
        unreleased = dropsWhatItHas ? new BitSet() : null;
        keepsRetain = role.subscriptions() instanceof ListedSubscriptions listed && listed.keepsRetain();
    }

    /** The session is a new one. */
    void forgetUnreleased() {
        if (unreleased != null) {
            unreleased.clear();
        }
    }

    /** Null when it subscribes to nothing. */
    byte @Nullable [] subscribe() {
        Subscriptions subscriptions = role.subscriptions();
        return subscriptions == null
                ? null
                : ControlPackets.subscribe(version, 1, subscriptions.topicFilters(), subscriptions::options);
    }

    /** Null when it subscribes to nothing. */
    byte @Nullable [] unsubscribe() {
        Subscriptions subscriptions = role.subscriptions();
        return subscriptions == null ? null : ControlPackets.unsubscribe(version, 1, subscriptions.topicFilters());
    }

    /** @return the first reason code with which a SUBACK refuses; 0 when it refuses nothing */
    int refusal(byte[] array, int from, int to) {
        Subscriptions subscriptions = role.subscriptions();
        int wanted = subscriptions == null ? 0 : subscriptions.count();
        if (to - from < wanted + 2) {
            throw new MalformedPacketException("a SUBACK of " + (to - from) + " bytes for " + wanted + " filters");
        }
        for (int at = to - wanted; at < to; at++) {
            if ((array[at] & 0xFF) >= PacketReader.FAILURE) {
                return array[at] & 0xFF;
            }
        }
        return 0;
    }

    void onPublish(int firstByte, byte[] array, int from, int to, long readNs) {
        int qos = firstByte >> 1 & 3;
        int identifierAt = from + 2 + PacketReader.twoBytes(array, from);
        int propertiesAt = qos > 0 ? identifierAt + 2 : identifierAt;
        int at = version == ControlPackets.MQTT_5 ? PacketReader.skipProperties(array, propertiesAt) : propertiesAt;
        if (qos < 2 || isNew(PacketReader.twoBytes(array, identifierAt))) {
            if (role.responder() != null) {
                role.responder().request(array, from, propertiesAt, at, to);
                answer(role.responder(), readNs);
            } else if (role.account() != null && !isOfAnEarlierRun(array, at, to - at)) {
                take(role.account(), array, propertiesAt, at, to, firstByte, readNs);
            }
        }
        if (qos > 0) {
            lane.output.addAcknowledgement(qos == 1 ? PacketType.PUBACK : PacketType.PUBREC, array, identifierAt);
        }
    }

    void onPubrel(byte[] array, int from) {
        if (unreleased != null) {
            unreleased.clear(PacketReader.twoBytes(array, from));
        }
        lane.output.addAcknowledgement(PacketType.PUBCOMP, array, from);
    }

    /** Of QoS 2, where a resumed session sends again what was not released [MQTT-4.3.3-10]. */
    private boolean isNew(int identifier) {
        if (unreleased == null) {
            return true;
        }
        boolean isNew = !unreleased.get(identifier);
        unreleased.set(identifier);
        return isNew;
    }

    private void take(
            ReceiverAccount account, byte[] array, int propertiesAt, int at, int to, int firstByte, long readNs) {
        if (lane.own != null && lane.own.isPlain(array, at, to - at)) {
            takePlain(account, firstByte);
            return;
        }
        boolean isRedelivered = (firstByte & 8) != 0;
        if (role.isRequester() && !isMyReply(array, propertiesAt, at, to)) {
            lane.requests.stray.increment();
        }
        if (account.receive(array, at, to - at, isRedelivered)) {
            lane.latencies.message.record(readNs - MessageHead.intendedNs(array, at));
        }
    }

    /**
     * A payload without a head. Those that say they were retained are older than the run, for no client subscribes
     * later.
     */
    private void takePlain(ReceiverAccount account, int firstByte) {
        if ((firstByte & 1) == 0 || keepsRetain) {
            account.receiveUnchecked();
            lane.unchecked.increment();
        }
    }

    private boolean isMyReply(byte[] array, int propertiesAt, int at, int to) {
        boolean isCorrelated = version != ControlPackets.MQTT_5 || Correlation.isThere(array, propertiesAt, at, to);
        return isCorrelated && to - at >= MessageHead.SIZE_BYTES && role.hasStream(MessageHead.stream(array, at));
    }

    private void answer(Responder responder, long readNs) {
        if (sender.reply(responder, readNs)) {
            lane.requests.answered.increment();
        } else {
            lane.requests.unanswered.increment();
        }
    }

    /** A session that was left behind, or a retained message, may hold some. */
    private boolean isOfAnEarlierRun(byte[] array, int at, int lengthBytes) {
        return lengthBytes >= MessageHead.SIZE_BYTES
                && MessageHead.intendedNs(array, at) - lane.startNs < 0
                && MessageHead.isIntact(array, at, lengthBytes);
    }
}

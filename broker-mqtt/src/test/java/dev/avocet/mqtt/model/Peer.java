package dev.avocet.mqtt.model;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A client over its connections: what it has yet to answer, what it awaits an answer to, and how it judges what comes.
 * It acknowledges only when it is told to.
 */
final class Peer {
    final String clientId;

    @Nullable WireClient wire;

    private @Nullable WireClient old;
    private int receiveMaximum;
    private int nextPacketId;

    private final Queue<Packet> toAnswer = new ArrayDeque<>();
    private final Queue<Class<? extends Packet>> awaited = new ArrayDeque<>();
    /** QoS 2 publishes that the broker has, by packet identifier: PUBREL is to be sent. */
    private final Map<Integer, Publish> unreleased = new LinkedHashMap<>();
    /** What the broker has to send again first on this connection. */
    private final Deque<Integer> repeats = new ArrayDeque<>();

    private int outstanding;
    private boolean expectPresent;
    private boolean answered;

    Peer(String clientId) {
        this.clientId = clientId;
    }

    /** A new connection. What came over the one that it takes over from is read before what comes over this one. */
    void begin(WireClient newWire, @Nullable WireClient takenOver, int newReceiveMaximum, boolean present) {
        wire = newWire;
        old = takenOver;
        receiveMaximum = newReceiveMaximum;
        expectPresent = present;
        answered = false;
        outstanding = 0;
        toAnswer.clear();
        awaited.clear();
        repeats.clear();
    }

    boolean isModern() {
        return requireWire().isModern();
    }

    void drop() {
        requireWire().drop();
    }

    int newPacketId() {
        nextPacketId = nextPacketId % 60_000 + 1;
        return nextPacketId;
    }

    void send(Packet packet, @Nullable Class<? extends Packet> answer) {
        if (answer != null) {
            awaited.add(answer);
        }
        requireWire().send(packet);
    }

    void publish(Publish publish) {
        switch (publish.qos()) {
            case AT_MOST_ONCE -> send(publish, null);
            case AT_LEAST_ONCE -> send(publish, PubAck.class);
            case EXACTLY_ONCE -> {
                unreleased.put(publish.packetId(), publish);
                send(publish, PubRec.class);
            }
        }
    }

    /** Sends PUBREL for everything that the broker has. */
    void release() {
        for (int packetId : unreleased.keySet()) {
            send(new PubRel(packetId), PubComp.class);
        }
        unreleased.clear();
    }

    /** Back in the same session: sends QoS 2 publishes again as if their PUBREC had been lost. */
    void publishAgain() {
        for (Publish publish : unreleased.values()) {
            send(
                    new Publish(
                            true,
                            publish.qos(),
                            publish.retain(),
                            publish.topic(),
                            publish.packetId(),
                            Publish.NO_ALIAS,
                            Publish.NO_EXPIRY,
                            publish.properties(),
                            publish.subscriptionIdentifiers(),
                            publish.payload()),
                    PubRec.class);
        }
    }

    /** Answers the oldest of what it has yet to answer; false when there is nothing. */
    boolean answerOne(ModelSession session) {
        Packet answer = toAnswer.poll();
        if (answer == null) {
            return false;
        }
        if (answer instanceof PubAck ack) {
            session.completed(ack.packetId());
            outstanding--;
        } else if (answer instanceof PubComp complete) {
            session.completed(complete.packetId());
            outstanding--;
        } else if (answer instanceof PubRec received) {
            session.received(received.packetId());
        }
        requireWire().send(answer);
        return true;
    }

    /** Reads what has come; returns what is wrong with it, or null. */
    @Nullable String read(ModelSession session) {
        String late = old == null ? null : readOld(old, session);
        old = null;
        if (late != null) {
            return late;
        }
        for (Packet packet : requireWire().read()) {
            String wrong = judge(packet, session);
            if (wrong != null) {
                return clientId + " got " + describe(packet) + ": " + wrong;
            }
        }
        return null;
    }

    /** What was sent over the connection before, and nobody will acknowledge there any longer. */
    private @Nullable String readOld(WireClient before, ModelSession session) {
        for (Packet packet : before.read()) {
            String wrong = packet instanceof Publish publish && expectPresent ? session.receive(publish) : null;
            if (wrong != null) {
                return clientId + " got over its old connection " + describe(packet) + ": " + wrong;
            }
        }
        return before.isOpen() ? clientId + " was not taken over" : null;
    }

    /** True when the broker may send more above QoS 0. */
    boolean hasRoom() {
        return outstanding < receiveMaximum && repeats.isEmpty();
    }

    /** What is missing once all is quiet; null for nothing. */
    @Nullable String missing(ModelSession session) {
        if (!answered) {
            return clientId + " got no CONNACK";
        }
        if (!awaited.isEmpty()) {
            return clientId + " got no answer: " + awaited;
        }
        if (!repeats.isEmpty() && outstanding < receiveMaximum) {
            return clientId + " did not get again " + repeats;
        }
        return hasRoom() && !session.missing().isEmpty() ? clientId + " did not get " + session.missing() : null;
    }

    private @Nullable String judge(Packet packet, ModelSession session) {
        if (packet instanceof ConnAck connAck) {
            return connected(connAck, session);
        }
        if (!answered) {
            return "before CONNACK";
        }
        if (packet instanceof Publish publish) {
            return received(publish, session);
        }
        if (packet instanceof PubRel release) {
            if (repeats.contains(release.packetId())) {
                outstanding++; // the client has not completed it: it counts on this connection too
                toAnswer.add(new PubComp(release.packetId()));
                return repeated(release.packetId());
            }
            toAnswer.add(new PubComp(release.packetId()));
            return null;
        }
        Class<? extends Packet> expected = awaited.poll();
        return expected != null && expected.isInstance(packet) ? null : "awaited " + expected;
    }

    private @Nullable String connected(ConnAck connAck, ModelSession session) {
        answered = true;
        if (connAck.reasonCode() != ReasonCode.SUCCESS || connAck.sessionPresent() != expectPresent) {
            return "session present should be " + expectPresent;
        }
        repeats.addAll(session.toRepeat());
        if (!expectPresent) {
            unreleased.clear();
        }
        return null;
    }

    private @Nullable String received(Publish publish, ModelSession session) {
        String wrong = session.receive(publish);
        if (wrong == null && publish.dup()) {
            wrong = repeated(publish.packetId());
        } else if (wrong == null && !repeats.isEmpty() && publish.qos() != QualityOfService.AT_MOST_ONCE) {
            wrong = "before " + repeats + ", which have to be sent again first";
        }
        if (publish.qos() != QualityOfService.AT_MOST_ONCE) {
            toAnswer.add(
                    publish.qos() == QualityOfService.AT_LEAST_ONCE
                            ? new PubAck(publish.packetId())
                            : new PubRec(publish.packetId()));
            outstanding++;
            if (outstanding > receiveMaximum) {
                return "more than the receive maximum of " + receiveMaximum;
            }
        }
        return wrong;
    }

    private @Nullable String repeated(int packetId) {
        Integer expected = repeats.poll();
        return expected != null && expected == packetId ? null : "repeated out of order: " + expected + " is next";
    }

    private WireClient requireWire() {
        if (wire == null) {
            throw new IllegalStateException(clientId + " is not connected");
        }
        return wire;
    }

    private static String describe(Packet packet) {
        return packet instanceof Publish publish
                ? "PUBLISH " + publish.packetId() + (publish.dup() ? " again " : " ") + publish.topic() + "="
                        + new String(publish.payload(), java.nio.charset.StandardCharsets.UTF_8) + " at "
                        + publish.qos() + (publish.retain() ? " retained" : "")
                : packet.toString();
    }
}

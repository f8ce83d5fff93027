package dev.avocet.mqtt.model;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One random sequence of what clients do, done to the broker and to the model, which are compared whenever all is
 * quiet.
 */
final class Scenario {
    private static final int LOOPS = 3;
    private static final List<String> CLIENTS = List.of("anna", "bert", "cleo", "dora");
    private static final List<String> TOPICS = List.of("a", "a/b", "a/c", "b/b", "a/b/c", "a/b/ä");
    private static final List<String> FILTERS =
            List.of("a", "a/b", "a/+", "a/#", "+/b", "#", "will/+", "a/b/#", "a/+/+");
    private static final int[] RECEIVE_MAXIMA = {1, 2, 3, Connect.DEFAULT_RECEIVE_MAXIMUM};

    private final Random chance;
    private final ManualLoops loops = new ManualLoops(LOOPS);
    private final MqttConnections connections;
    private final ModelBroker model = new ModelBroker();
    private final List<Peer> peers = CLIENTS.stream().map(Peer::new).toList();
    private final List<String> log = new ArrayList<>();
    private int number;
    private @Nullable String wrongEarly;

    Scenario(long seed) {
        chance = new Random(seed);
        BrokerOptions defaults = BrokerOptions.DEFAULT;
        BrokerOptions options = new BrokerOptions(
                defaults.subscriptionLimits(),
                defaults.overlap(),
                defaults.topicLevelsMax(),
                defaults.retainedCountMax(),
                chance.nextBoolean() ? 64 : 1, // with one, nearly all routes are shared by what topics match
                defaults.backpressureMaxMs(),
                defaults.neverAcknowledgingMultiple());
        Broker broker = new Broker(options, loops.all());
        connections = new MqttConnections(broker, MqttOptions.DEFAULT, new AnonymousAuthenticator());
    }

    List<String> log() {
        return log;
    }

    /** Plays; returns what went wrong, or null. */
    @Nullable String play(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            String wrong = compare();
            if (wrong != null) {
                return wrong;
            }
        }
        return finish();
    }

    private void step() {
        Peer peer = peers.get(chance.nextInt(peers.size()));
        ModelSession session = model.session(peer.clientId);
        int dice = chance.nextInt(100);
        if (dice < 6) {
            time();
        } else if (session == null || !session.connected || dice < 10) {
            connect(peer, chance.nextBoolean());
        } else if (dice < 25) {
            subscribe(peer, session);
        } else if (dice < 29) {
            unsubscribe(peer, session);
        } else if (dice < 56) {
            publish(peer, chance.nextInt(4) == 0);
        } else if (dice < 66) {
            burst();
        } else if (dice < 80) {
            answer(peer, session, 1 + chance.nextInt(4));
        } else if (dice < 86) {
            log.add(peer.clientId + " releases");
            peer.release();
        } else if (dice < 94) {
            leave(peer, session, true);
        } else {
            leave(peer, session, false);
        }
    }

    /** Everybody comes back to what is left of the sessions and takes all that is owed. */
    private @Nullable String finish() {
        for (Peer peer : peers) {
            if (model.session(peer.clientId) != null) {
                connect(peer, false);
                String wrong = compare();
                for (int i = 0; wrong == null && i < 1000 && answerAll(peer); i++) {
                    wrong = compare();
                }
                ModelSession session = model.session(peer.clientId);
                if (wrong == null && session != null && !session.missing().isEmpty()) {
                    wrong = peer.clientId + " never got " + session.missing();
                }
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private boolean answerAll(Peer peer) {
        ModelSession session = model.session(peer.clientId);
        boolean any = false;
        while (session != null && peer.answerOne(session)) {
            any = true;
        }
        return any;
    }

    private @Nullable String compare() {
        if (wrongEarly != null) {
            return wrongEarly;
        }
        loops.settle(chance);
        for (Peer peer : peers) {
            ModelSession session = model.session(peer.clientId);
            if (session != null && session.connected) {
                String wrong = peer.read(session);
                wrong = wrong == null ? peer.missing(session) : wrong;
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private void connect(Peer peer, boolean cleanStart) {
        boolean modern = chance.nextInt(5) > 0;
        long expirySeconds = expiry(modern, cleanStart);
        ModelWill will = chance.nextInt(3) == 0 ? will(peer, modern) : null;
        int receiveMaximum = modern ? RECEIVE_MAXIMA[chance.nextInt(4)] : Connect.DEFAULT_RECEIVE_MAXIMUM;
        connect(peer, modern, cleanStart, expirySeconds, will, receiveMaximum);
        loops.settle(chance);
        resendUnreleased(peer);
    }

    private long expiry(boolean modern, boolean cleanStart) {
        if (!modern) {
            return cleanStart ? 0 : WireWords.NEVER;
        }
        return switch (chance.nextInt(4)) {
            case 0 -> 0;
            case 1 -> WireWords.NEVER;
            default -> 1 + chance.nextInt(20);
        };
    }

    private void connect(
            Peer peer,
            boolean modern,
            boolean cleanStart,
            long expirySeconds,
            @Nullable ModelWill will,
            int receiveMaximum) {
        ModelSession before = model.session(peer.clientId);
        WireClient old = before != null && before.connected ? peer.wire : null;
        boolean present = model.connect(peer.clientId, cleanStart, expirySeconds, will);
        int loop = chance.nextInt(LOOPS);
        log.add(peer.clientId + " connects on " + loop + (cleanStart ? " clean" : "") + " expiry " + expirySeconds
                + " receive maximum " + receiveMaximum + (modern ? "" : " 3.1.1") + (will == null ? "" : " " + will));
        ProtocolVersion version = modern ? ProtocolVersion.V5 : ProtocolVersion.V3_1_1;
        WireClient wire = new WireClient(connections, loops.get(loop), version);
        peer.begin(wire, old, receiveMaximum, present);
        var connect = Connect.builder(peer.clientId).version(version).cleanStart(cleanStart);
        if (modern) {
            connect.sessionExpiryIntervalSeconds(expirySeconds).receiveMaximum(receiveMaximum);
        }
        if (will != null) {
            ModelMessage message = will.message();
            connect.will(new ConnectWill(message.topic(), bytes(message.payload()), message.qos(), message.retain())
                    .withDelayIntervalSeconds(will.delaySeconds()));
        }
        wire.send(connect.build());
    }

    private void resendUnreleased(Peer peer) {
        ModelSession session = model.session(peer.clientId);
        if (session == null || chance.nextBoolean()) {
            return;
        }
        wrongEarly = peer.read(session);
        if (wrongEarly == null) {
            log.add(peer.clientId + " sends QoS 2 publishes again");
            peer.publishAgain();
        }
    }

    private ModelWill will(Peer peer, boolean modern) {
        String payload = "will " + ++number;
        QualityOfService qos = QualityOfService.of(chance.nextInt(3));
        ModelMessage message =
                new ModelMessage(peer.clientId, "will/" + peer.clientId, qos, chance.nextInt(3) == 0, payload, number);
        return new ModelWill(message, modern && chance.nextBoolean() ? chance.nextInt(10) : 0);
    }

    private void subscribe(Peer peer, ModelSession session) {
        boolean modern = peer.isModern();
        TopicSubscription subscription = new TopicSubscription(
                FILTERS.get(chance.nextInt(FILTERS.size())),
                QualityOfService.of(chance.nextInt(3)),
                modern && chance.nextInt(6) == 0,
                modern && chance.nextInt(4) == 0,
                RetainHandling.SEND_AT_SUBSCRIBE);
        log.add(peer.clientId + " subscribes to " + subscription);
        model.subscribe(session, subscription);
        peer.send(new Subscribe(peer.newPacketId(), subscription), SubAck.class);
    }

    private void unsubscribe(Peer peer, ModelSession session) {
        String filter = FILTERS.get(chance.nextInt(FILTERS.size()));
        log.add(peer.clientId + " unsubscribes from " + filter);
        model.unsubscribe(session, filter);
        peer.send(new Unsubscribe(peer.newPacketId(), filter), UnsubAck.class);
    }

    private void publish(Peer peer, boolean retain) {
        String topic = TOPICS.get(chance.nextInt(TOPICS.size()));
        QualityOfService qos = QualityOfService.of(chance.nextInt(3));
        number++;
        String payload = retain && chance.nextInt(3) == 0 ? "" : "" + number;
        log.add(peer.clientId + " publishes " + topic + "=" + payload + " at " + qos + (retain ? " retained" : ""));
        model.publish(new ModelMessage(peer.clientId, topic, qos, retain, payload, number));
        int packetId = qos == QualityOfService.AT_MOST_ONCE ? 0 : peer.newPacketId();
        peer.publish(new Publish(topic, qos, retain, packetId, bytes(payload)));
    }

    /** Several clients publish at once while the loops run on, and one may come back through another loop meanwhile. */
    private void burst() {
        List<Peer> publishers = peers.stream().filter(this::isConnected).toList();
        Peer moving = chance.nextBoolean() ? persistent(publishers) : null;
        log.add("burst {");
        int moveAt = chance.nextInt(8);
        for (int i = 0; i < 8; i++) {
            if (moving != null && i == moveAt) {
                connect(moving, true, false, 5, null, RECEIVE_MAXIMA[chance.nextInt(4)]);
            }
            Peer publisher = publishers.get(chance.nextInt(publishers.size()));
            if (publisher != moving) {
                publish(publisher, false);
            }
            for (int pause = chance.nextInt(4); pause > 0; pause--) {
                loops.step(chance);
            }
        }
        ModelSession moved = moving == null ? null : model.session(moving.clientId);
        if (moved != null) {
            moved.connectionLost(); // at QoS 0 it depends on when exactly it was away
        }
        log.add("}");
    }

    private @Nullable Peer persistent(List<Peer> candidates) {
        for (Peer candidate : candidates) {
            ModelSession session = model.session(candidate.clientId);
            if (session != null && session.expirySeconds > 0) {
                return candidate;
            }
        }
        return null;
    }

    private boolean isConnected(Peer peer) {
        ModelSession session = model.session(peer.clientId);
        return session != null && session.connected;
    }

    private void answer(Peer peer, ModelSession session, int count) {
        log.add(peer.clientId + " acknowledges " + count);
        for (int i = 0; i < count && peer.answerOne(session); i++) {
            if (chance.nextBoolean()) {
                loops.step(chance);
            }
        }
    }

    private void leave(Peer peer, ModelSession session, boolean dropped) {
        log.add(peer.clientId + (dropped ? " is cut off" : " disconnects"));
        model.disconnect(session, dropped);
        if (dropped) {
            peer.drop();
        } else {
            peer.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION), null);
        }
    }

    private void time() {
        int seconds = 1 + chance.nextInt(8);
        log.add(seconds + " s pass");
        for (int i = 0; i < seconds; i++) {
            model.oneSecondLater();
            loops.advance(Duration.ofSeconds(1));
            loops.settle(chance);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.MqttClientStateException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubRecException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictionsBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult.Mqtt5Qos1Result;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult.Mqtt5Qos2Result;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The HiveMQ client with MQTT 5, called in one of its styles. */
final class HiveMq5Client implements TestClient {
    private final Inbox<Received> messages = new Inbox<>();
    private final Mqtt5Client client;
    private final HiveMq5Style style;
    private final boolean sessionPresent;

    HiveMq5Client(int port, ClientOptions options, Function<Mqtt5Client, HiveMq5Style> styleOf) {
        client = Mqtt5Client.builder()
                .identifier(options.clientId())
                .serverHost("127.0.0.1")
                .serverPort(port)
                .build();
        style = styleOf.apply(client);
        style.listen(publish -> messages.add(received(publish)));
        sessionPresent = style.connect(connect(options)).isSessionPresent();
    }

    private static Mqtt5Connect connect(ClientOptions options) {
        Mqtt5ConnectRestrictionsBuilder restrictions = Mqtt5ConnectRestrictions.builder();
        Integer receiveMaximum = options.number("receiveMaximum");
        if (receiveMaximum != null) {
            restrictions = restrictions.receiveMaximum(receiveMaximum);
        }
        Integer topicAliasMaximum = options.number("topicAliasMaximum");
        if (topicAliasMaximum != null) {
            restrictions = restrictions.topicAliasMaximum(topicAliasMaximum);
        }
        Mqtt5ConnectBuilder connect =
                Mqtt5Connect.builder().cleanStart(options.clean()).restrictions(restrictions.build());
        Integer expirySeconds = options.number("sessionExpirySeconds");
        if (expirySeconds != null) {
            connect = connect.sessionExpiryInterval(expirySeconds);
        }
        if (options.willTopic() != null) {
            connect = connect.willPublish(Mqtt5Publish.builder()
                    .topic(options.willTopic())
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload(utf8("gone"))
                    .build());
        }
        return connect.build();
    }

    @Override
    public boolean sessionPresent() {
        return sessionPresent;
    }

    @Override
    public int subscribe(String filter, int qos) {
        try {
            return style.subscribe(Mqtt5Subscribe.builder()
                            .topicFilter(filter)
                            .qos(qosOf(qos))
                            .build())
                    .getReasonCodes()
                    .get(0)
                    .getCode();
        } catch (Mqtt5SubAckException e) {
            return e.getMqttMessage().getReasonCodes().get(0).getCode();
        }
    }

    @Override
    public int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {
        Mqtt5PublishBuilder.Complete publish = Mqtt5Publish.builder()
                .topic(topic)
                .qos(qosOf(qos))
                .retain(retain)
                .payload(utf8(payload));
        List<Mqtt5UserProperty> user = new ArrayList<>();
        properties.forEach((key, value) -> {
            if (key.startsWith("user.")) {
                user.add(Mqtt5UserProperty.of(key.substring("user.".length()), value));
            }
        });
        if (properties.containsKey("responseTopic")) {
            publish = publish.responseTopic(properties.get("responseTopic"));
        }
        if (properties.containsKey("correlationData")) {
            publish = publish.correlationData(utf8(properties.get("correlationData")));
        }
        return publish(publish.userProperties(Mqtt5UserProperties.of(user)).build());
    }

    private int publish(Mqtt5Publish publish) {
        try {
            Mqtt5PublishResult result = style.publish(publish);
            return result.getError().isPresent() ? refusal(result.getError().get()) : code(result);
        } catch (Mqtt5PubAckException | Mqtt5PubRecException e) {
            return refusal(e);
        }
    }

    private static int code(Mqtt5PublishResult result) {
        if (result instanceof Mqtt5Qos1Result acknowledged) {
            return acknowledged.getPubAck().getReasonCode().getCode();
        }
        return result instanceof Mqtt5Qos2Result received
                ? received.getPubRec().getReasonCode().getCode()
                : 0;
    }

    private static int refusal(Throwable error) {
        if (error instanceof Mqtt5PubAckException refused) {
            return refused.getMqttMessage().getReasonCode().getCode();
        }
        if (error instanceof Mqtt5PubRecException refused) {
            return refused.getMqttMessage().getReasonCode().getCode();
        }
        throw new AssertionError(error);
    }

    private static Received received(Mqtt5Publish publish) {
        Map<String, String> properties = new HashMap<>();
        publish.getUserProperties()
                .asList()
                .forEach(user ->
                        properties.put("user." + user.getName(), user.getValue().toString()));
        publish.getResponseTopic().ifPresent(topic -> properties.put("responseTopic", topic.toString()));
        publish.getCorrelationData().ifPresent(data -> properties.put("correlationData", text(data)));
        return new Received(
                publish.getTopic().toString(),
                publish.getQos().getCode(),
                publish.isRetain(),
                new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8),
                properties);
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(data).toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static MqttQos qosOf(int qos) {
        return MqttQos.values()[qos];
    }

    @Override
    public Received receive() {
        return messages.take("a message");
    }

    @Override
    public boolean isIdle() {
        return messages.isEmpty();
    }

    @Override
    public void disconnect() {
        style.disconnect();
    }

    @Override
    public void close() {
        try {
            style.disconnect();
        } catch (MqttClientStateException | ConnectionClosedException e) {
            // it has been disconnected before, or just now
        }
    }
}

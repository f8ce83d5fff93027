package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import java.util.function.Consumer;

/** One of the ways in which the HiveMQ client can be called. All calls wait. */
interface HiveMq5Style {
    int PATIENCE_SECONDS = 30;

    /** Hands on every message from now on, those of a session that is resumed included. */
    void listen(Consumer<Mqtt5Publish> consumer);

    Mqtt5ConnAck connect(Mqtt5Connect connect);

    Mqtt5SubAck subscribe(Mqtt5Subscribe subscribe);

    Mqtt5PublishResult publish(Mqtt5Publish publish);

    void disconnect();
}

package dev.avocet.server.system;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SystemTopic;
import dev.avocet.core.session.ArrivalReport;
import dev.avocet.core.session.ArrivalReport.Arrival;
import dev.avocet.core.session.ArrivalReport.Arrivals;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.util.Objects;

/**
 * Tells of the messages that have arrived for clients that are away, one message for each of these clients. While
 * there is no subscription, they add up.
 */
final class DisconnectedClients {
    private final Broker broker;
    private final SystemTopic topic;
    private final Clock clock;

    DisconnectedClients(Broker broker, Clock clock) {
        this.broker = broker;
        this.topic = broker.systemTopic(SystemTopic.PREFIX + "DisconnectedClientNotification");
        this.clock = clock;
    }

    void report() {
        if (topic.hasSubscribers()) {
            ArrivalReport.begin(broker.sessions(), broker.subscriptions().policies(), broker.loops(), this::publish);
        }
    }

    private void publish(Arrivals arrivals) {
        JsonBody body = json -> write(arrivals, json);
        var unused = topic.publish(body.payload(clock.wallTimeMs()));
    }

    /** In the names of MessageSight. */
    private static void write(Arrivals arrivals, JsonGenerator json) throws IOException {
        json.writeStringField("ClientId", arrivals.clientId());
        json.writeStringField("UserID", Objects.requireNonNullElse(arrivals.userName(), ""));
        json.writeArrayFieldStart("MessagesArrived");
        for (Arrival arrival : arrivals.messages()) {
            json.writeStartObject();
            json.writeStringField("TopicString", arrival.topicFilter());
            json.writeNumberField("MessageCount", arrival.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}

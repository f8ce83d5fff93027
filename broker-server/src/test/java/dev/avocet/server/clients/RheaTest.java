package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** rhea, for Node.js. */
final class RheaTest extends AmqpClientScenarios {
    @Override
    AmqpProcess start() {
        return new AmqpProcess(ForeignClients.rhea(), Map.of("NODE_PATH", ForeignClients.rheaPackages()));
    }

    @Test
    void shouldReadOnInASubscriptionThatItHasUnsettledDeliveriesOf() {
        // given
        connect("traveller");
        sender("out", "topic", "news");
        subscribe("");
        send("first");
        credit(1);
        assertThat(receive()).containsEntry("value", "first");

        // when
        leaveSubscription();
        subscribe("7461672d31");

        // then
        credit(5);
        assertThat(receive()).containsEntry("value", "first");
        settle("accepted");
        send("second");
        assertThat(receive()).containsEntry("value", "second");
        settle("accepted");
    }

    private void subscribe(String unsettled) {
        client.ask(
                "receiver",
                "id",
                "in",
                "type",
                "topic",
                "address",
                "news",
                "name",
                "daily",
                "durable",
                "true",
                "unsettled",
                unsettled);
    }
}

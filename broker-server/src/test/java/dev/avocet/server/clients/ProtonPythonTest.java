package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Qpid Proton for Python, and with it Proton's library in C. */
@InTurn
final class ProtonPythonTest extends AmqpClientScenarios {
    @Override
    AmqpProcess start() {
        return new AmqpProcess(ForeignClients.proton(), Map.of());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendAndAcknowledgeInATransaction(boolean fail) {
        // given
        connect();
        sender("out", "queue", "orders");
        send("order");
        receiver("in", "queue", "orders");
        credit(1);
        assertThat(receive()).containsEntry("value", "order");

        // when
        client.ask("declare");
        client.ask("settle", "id", "in", "outcome", "accepted", "in", "transaction");
        sender("bill", "queue", "bills");
        client.ask("send", "id", "bill", "kind", "text", "value", "bill", "in", "transaction");
        assertThat(client.ask("discharge", "fail", "" + fail)).containsEntry("outcome", fail ? "aborted" : "committed");

        // then
        client.ask("close", "id", "in");
        receiver("in", "queue", "bills");
        drain("bills", fail ? 0 : 1);
        client.ask("close", "id", "in");
        receiver("in", "queue", "orders");
        drain("orders", fail ? 1 : 0);
    }
}

package dev.avocet.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.testkit.ManualLoops;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What no MQTT client can bring about, over loops that do what the test tells them. */
class MonitorTest {
    private final ManualLoops loops = new ManualLoops(1);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final Monitor monitor = new Monitor(
            broker,
            new MemoryGuard(),
            List::of,
            new StoreFacts("memory", null, Path.of("."), 1),
            loops.io(0).clock());

    @Test
    void shouldTellOfQueues() throws Exception {
        // given
        loops.on(0, () -> {
            broker.queues().findOrCreate("orders", loops.io(0)).producerAttached();
            broker.queues().findOrCreate("bills", loops.io(0));
        });
        loops.settle();

        // then
        assertThat(ask("Queue", Map.of("Name", "ord*")))
                .contains("\"Found\":1", "\"Name\":\"orders\"", "\"Producers\":1", "\"BufferedMsgs\":0")
                .contains("\"MaxMessages\":100000", "\"ConsumedMsgs\":0", "\"Kind\":\"DYNAMIC\"");
        assertThat(ask("Queue", Map.of("StatType", "ProducersHighest", "ResultCount", "1")))
                .contains("\"Found\":2", "orders")
                .doesNotContain("bills");
    }

    @Test
    void shouldTellOfTransactionsInDoubt() throws Exception {
        // given
        BranchId branch = new BranchId(7, "global".getBytes(StandardCharsets.UTF_8), new byte[] {1});
        loops.on(0, () -> {
            Transaction transaction = broker.transactions().begin(loops.io(0));
            transaction.publish(new Message(
                    TopicName.of("a"),
                    QualityOfService.AT_LEAST_ONCE,
                    false,
                    new byte[1],
                    MessageProperties.NONE,
                    Message.NEVER,
                    "anna"));
            broker.transactions().prepare(transaction, branch, outcome -> {});
            broker.transactions().begin(loops.io(0));
        });
        loops.settle();

        // then
        assertThat(ask("Transaction", Map.of("TranState", "Prepared")))
                .contains("\"Found\":1", "\"XID\":\"" + branch + "\"", "\"TranState\":\"Prepared\"");
        assertThat(ask("Transaction", Map.of("TranState", "Heuristic"))).contains("\"Found\":0");
        assertThat(ask("Transaction", Map.of("XID", "8:*"))).contains("\"Found\":0");
    }

    private String ask(String type, Map<String, String> question) throws Exception {
        StringWriter text = new StringWriter();
        try (Report report = monitor.ask(type, question);
                JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            report.writeTo(json);
            json.writeEndObject();
        }
        return text.toString();
    }
}

package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.SelectorsPage;
import dev.avocet.testkit.SelectorsPage.Example;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of the page about selectors, with our JMS client at a broker of the distribution. */
@InTurn
class SelectorsPageTest {
    @TempDir
    private Path data;

    @Test
    void shouldSelectAsThePageSays() throws IOException, JMSException {
        List<Example> examples = SelectorsPage.examples();
        assertThat(examples).hasSizeGreaterThan(150);
        SoftAssertions answers = new SoftAssertions();
        try (Administered broker = Administered.start(data, Map.of());
                Connection connection = new AvocetConnectionFactory(
                                "avocet://localhost:" + broker.process().port())
                        .createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("selected");
            send(session, queue);
            for (Example example : examples) {
                answers.assertThat(answer(session, queue, example.selector()))
                        .as(example.row())
                        .isEqualTo(example.answer());
            }
        }
        answers.assertAll();
    }

    private static void send(Session session, Queue queue) throws JMSException {
        Message message = session.createTextMessage("text");
        message.setIntProperty("i", 5);
        message.setLongProperty("l", 7);
        message.setLongProperty("least", Long.MIN_VALUE);
        message.setDoubleProperty("d", 2.5);
        message.setFloatProperty("f", 0.5f);
        message.setBooleanProperty("yes", true);
        message.setBooleanProperty("no", false);
        message.setStringProperty("s", "abc");
        message.setStringProperty("under", "a_b");
        message.setStringProperty("number", "12");
        message.setStringProperty("quote", "it's");
        message.setStringProperty("empty", "");
        message.setJMSType("car");
        message.setJMSCorrelationID("cid");
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.setPriority(7);
            producer.send(message);
        }
    }

    private static String answer(Session session, Queue queue, String selector) throws JMSException {
        try (QueueBrowser browser = session.createBrowser(queue, selector)) {
            return browser.getEnumeration().hasMoreElements() ? "match" : "no match";
        } catch (InvalidSelectorException e) {
            return "refused";
        }
    }
}

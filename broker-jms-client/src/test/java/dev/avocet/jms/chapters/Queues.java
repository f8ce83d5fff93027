package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sections 4.1 and 6.2.2. */
public abstract class Queues extends Chapter {
    private Session session;
    private Queue queue;

    protected Queues(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
        queue = queue(session);
    }

    @SuppressWarnings("JdkObsolete") // the interface is what it is
    private List<String> browsed(String selector) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (QueueBrowser browser = session.createBrowser(queue, selector)) {
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                texts.add(text((Message) messages.nextElement()));
            }
            assertThatThrownBy(messages::nextElement).isInstanceOf(NoSuchElementException.class);
        }
        return texts;
    }

    @Test
    @Section("4.1.2")
    void shouldKeepMessagesUntilAConsumerComes() throws JMSException {
        send(session, queue, "0", "1", "2");
        assertThat(takeTexts(session.createConsumer(queue), 3)).containsExactly("0", "1", "2");
        assertThat(isEmpty(queue)).isTrue();
    }

    @Test
    @Section("4.1.2")
    void shouldGiveEachMessageToOneConsumer() throws Exception {
        List<String> all = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch both = new CountDownLatch(60);
        for (int i = 0; i < 3; i++) {
            session().createConsumer(queue).setMessageListener(listener(message -> {
                all.add(text(message));
                both.countDown();
            }));
        }
        for (int i = 0; i < 60; i++) {
            send(session, queue, "" + i);
        }
        await(both);
        assertThat(all).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    @Section("4.1.4")
    void shouldKnowQueuesByTheirNames() throws JMSException {
        Queue same = session.createQueue(queue.getQueueName());
        assertThat(same).isEqualTo(queue).hasSameHashCodeAs(queue);
        assertThat(session.createTopic(queue.getQueueName())).isNotEqualTo(queue);
        send(session, same, "text");
        assertThat(takeText(session.createConsumer(queue))).isEqualTo("text");
    }

    @Test
    @Section("4.1.6")
    void shouldBrowseInOrderAndTakeNothingAway() throws JMSException {
        send(session, queue, "0", "1", "2");
        assertThat(browsed(null)).containsExactly("0", "1", "2");
        assertThat(browsed(null)).containsExactly("0", "1", "2");
        assertThat(takeTexts(session.createConsumer(queue), 3)).containsExactly("0", "1", "2");
        assertThat(browsed(null)).isEmpty();
    }

    @Test
    @Section("4.1.6")
    void shouldBrowseWhatIsSelected() throws JMSException {
        for (int i = 0; i < 4; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("i", i);
            send(session, queue, message);
        }
        assertThat(browsed("i > 1")).containsExactly("2", "3");
    }

    @Test
    @Section("4.1.6")
    void shouldNotFlagOrCountWhatWasBrowsed() throws JMSException {
        send(session, queue, "text");
        browsed(null);
        Message message = take(session.createConsumer(queue));
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    @Section("4.1.6")
    void shouldNotBrowseBeforeTheDeliveryTime() throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.setDeliveryDelay(600_000);
            producer.send(session.createTextMessage("later"));
        }
        send(session, queue, "now");
        assertThat(browsed(null)).containsExactly("now");
    }

    @Test
    @Section("4.1.6")
    void shouldBrowseMoreThanOneTimeWithOneBrowser() throws JMSException {
        QueueBrowser browser = session.createBrowser(queue);
        assertThat(browser.getQueue()).isEqualTo(queue);
        assertThat(browser.getEnumeration().hasMoreElements()).isFalse();
        send(session, queue, "text");
        assertThat(browser.getEnumeration().hasMoreElements()).isTrue();
        browser.close();
        browser.close();
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("4.1.7")
    void shouldAnswerRequests() throws Exception {
        QueueConnection connection = closing(provider().queueFactory().createQueueConnection());
        connection.start();
        QueueSession asking = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        Session answering = session();
        MessageConsumer requests = answering.createConsumer(queue);
        CompletableFuture<Void> server = asideRun(() -> {
            Message request = take(requests);
            send(answering, request.getJMSReplyTo(), text(request) + "!");
        });
        QueueRequestor requestor = new QueueRequestor(asking, queue);
        assertThat(text(requestor.request(session.createTextMessage("hello")))).isEqualTo("hello!");
        await(server);
        requestor.close();
    }

    @Test
    @Section("6.2.2")
    void shouldUseTemporaryQueuesInAllSessionsOfTheConnection() throws JMSException {
        Connection connection = connect();
        Session maker = connection.createSession();
        TemporaryQueue temporary = maker.createTemporaryQueue();
        maker.close();
        send(session, temporary, "text");
        assertThat(takeText(connection.createSession().createConsumer(temporary)))
                .isEqualTo("text");
    }

    @Test
    @Section("6.2.2")
    void shouldMakeTemporaryQueuesThatAreUnique() throws JMSException {
        TemporaryQueue one = session.createTemporaryQueue();
        TemporaryQueue other = session.createTemporaryQueue();
        assertThat(one).isNotEqualTo(other);
        assertThat(one.getQueueName()).isNotEqualTo(other.getQueueName());
        send(session, one, "text");
        assertThat(session.createConsumer(other).receiveNoWait()).isNull();
    }

    @Test
    @Section("4.1.5")
    void shouldNotConsumeFromTemporaryQueuesOfOthers() throws JMSException {
        TemporaryQueue temporary = session.createTemporaryQueue();
        Session other = session();
        assertThatThrownBy(() -> other.createConsumer(temporary)).isInstanceOf(JMSException.class);
    }

    @Test
    @Section("6.2.2")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "Expecting code to raise a throwable",
            because = "it lets a temporary destination be used again that was deleted")
    void shouldNotDeleteATemporaryQueueThatIsConsumed() throws JMSException {
        TemporaryQueue temporary = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(temporary);
        assertThatThrownBy(temporary::delete).isInstanceOf(JMSException.class);
        consumer.close();
        temporary.delete();
        assertThatThrownBy(() -> session.createConsumer(temporary)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> send(session, temporary, "text")).isInstanceOf(JMSException.class);
    }

    @Test
    @Section("6.2.2")
    @Differs(
            on = Run.AVOCET,
            seen = "Expecting code to raise a throwable",
            because = "the server makes a queue of any name that is sent to, also of one that was temporary")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting code to raise a throwable",
            because = "the server makes a queue of any name that is sent to, also of one that was temporary")
    void shouldDeleteTemporaryQueuesWithTheirConnection() throws JMSException {
        Connection connection = connect();
        TemporaryQueue temporary = connection.createSession().createTemporaryQueue();
        send(session, temporary, "text");
        connection.close();
        assertThatThrownBy(() -> send(session, temporary, "text")).isInstanceOf(JMSException.class);
    }
}

package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's ways of using a JMS client, with ours and our broker. */
final class SpringJmsTest {
    private static final long PATIENCE_MS = 30_000;

    @TempDir
    private Path data;

    private ServerUnderTest server;
    private CachingConnectionFactory connections;
    private JmsTemplate template;
    private final List<DefaultMessageListenerContainer> containers = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
        connections = new CachingConnectionFactory(factory());
        connections.setSessionCacheSize(4);
        connections.setCacheConsumers(
                false); // as Spring Boot does: one that lies in the cache would hold messages ready
        template = new JmsTemplate(connections);
        template.setReceiveTimeout(PATIENCE_MS);
    }

    @AfterEach
    void stop() {
        containers.forEach(DefaultMessageListenerContainer::destroy);
        connections.destroy();
        server.close();
    }

    @Test
    void shouldSendAndReceiveByTemplate() {
        // when
        for (int i = 0; i < 10; i++) {
            template.convertAndSend("orders", "order " + i);
        }

        // then
        for (int i = 0; i < 10; i++) {
            assertThat(template.receiveAndConvert("orders")).isEqualTo("order " + i);
        }
        assertThat(connections.getCachedSessionCount()).isEqualTo(1);
    }

    @Test
    void shouldAnswerARequest() throws JMSException {
        // given
        listen("questions", (message, session) -> {
            try (var producer = session.createProducer(message.getJMSReplyTo())) {
                producer.send(session.createTextMessage(message.getBody(String.class) + "!"));
            }
        });

        // when
        Message answer = template.sendAndReceive("questions", session -> session.createTextMessage("what"));

        // then
        assertThat(answer).isNotNull();
        assertThat(answer.getBody(String.class)).isEqualTo("what!");
    }

    @Test
    void shouldRollBackWhatAListenerFailsAndTryAgain() {
        // given
        Set<String> failed = ConcurrentHashMap.newKeySet();
        Queue<String> done = new ConcurrentLinkedQueue<>();
        listen("orders", (message, session) -> {
            String text = message.getBody(String.class);
            boolean first = failed.add(text);
            assertThat(message.getJMSRedelivered()).isEqualTo(!first);
            try (MessageProducer producer = session.createProducer(session.createQueue("done"))) {
                producer.send(session.createTextMessage(text));
            }
            if (first) {
                throw new IllegalStateException("the first time");
            }
            done.add(text);
        });

        // when
        List<String> sent = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
        sent.forEach(text -> template.convertAndSend("orders", text));

        // then
        await().atMost(Duration.ofMillis(PATIENCE_MS)).until(() -> done.size() >= 10);
        assertThat(done).containsExactlyInAnyOrderElementsOf(sent);
        List<Object> forwarded = new ArrayList<>();
        sent.forEach(text -> forwarded.add(template.receiveAndConvert("done")));
        assertThat(forwarded).containsExactlyInAnyOrderElementsOf(sent);
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        assertThat(template.receive("done")).isNull();
    }

    @Test
    void shouldGoOnListeningWhenTheBrokerIsRestarted() throws Exception {
        // given
        Set<String> got = ConcurrentHashMap.newKeySet();
        listen("orders", (message, session) -> got.add(message.getBody(String.class)));
        template.convertAndSend("orders", "before");
        await().atMost(Duration.ofMillis(PATIENCE_MS)).until(() -> got.contains("before"));

        // when
        server.restart();
        template.convertAndSend("orders", "after");

        // then
        await().atMost(Duration.ofMillis(PATIENCE_MS)).until(() -> got.contains("after"));
    }

    @Test
    void shouldListenToADurableSubscriptionWithSeveralConsumers() {
        // given
        Set<String> got = ConcurrentHashMap.newKeySet();
        JmsTemplate news = new JmsTemplate(connections);
        news.setPubSubDomain(true);
        DefaultMessageListenerContainer first = listenToNews(got);
        news.convertAndSend("news", "first");
        await().atMost(Duration.ofMillis(PATIENCE_MS)).until(() -> got.contains("first"));
        containers.remove(first);
        first.destroy();

        // when
        news.convertAndSend("news", "while away");
        listenToNews(got);

        // then
        await().atMost(Duration.ofMillis(PATIENCE_MS)).until(() -> got.contains("while away"));
    }

    @Test
    void shouldCommitAndRollBackByTransactionManager() {
        // given
        TransactionTemplate transaction = new TransactionTemplate(new JmsTransactionManager(connections));

        // when
        transaction.executeWithoutResult(status -> template.convertAndSend("orders", "kept"));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    template.convertAndSend("orders", "lost");
                    assertThat(template.receiveAndConvert("orders")).isEqualTo("kept");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");

        // then
        assertThat(template.receiveAndConvert("orders")).isEqualTo("kept");
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        assertThat(template.receive("orders")).isNull();
    }

    private DefaultMessageListenerContainer listenToNews(Set<String> got) {
        DefaultMessageListenerContainer container =
                container("news", (message, session) -> got.add(message.getBody(String.class)));
        container.setPubSubDomain(true);
        container.setSubscriptionShared(true);
        container.setSubscriptionDurable(true);
        container.setSubscriptionName("readers");
        return start(container);
    }

    private void listen(String queue, SessionAwareMessageListener<Message> listener) {
        start(container(queue, listener));
    }

    private DefaultMessageListenerContainer container(
            String destination, SessionAwareMessageListener<Message> listener) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory());
        container.setDestinationName(destination);
        container.setSessionTransacted(true);
        container.setSessionAcknowledgeMode(Session.SESSION_TRANSACTED);
        container.setConcurrency("2-4");
        container.setMessageListener(listener);
        container.setErrorHandler(failure -> {});
        return container;
    }

    /** Returns when its consumers are there. */
    private DefaultMessageListenerContainer start(DefaultMessageListenerContainer container) {
        containers.add(container);
        container.afterPropertiesSet();
        container.start();
        await().atMost(Duration.ofMillis(PATIENCE_MS))
                .until(() -> container.getActiveConsumerCount() >= 2 && container.isRegisteredWithDestination());
        return container;
    }

    private AvocetConnectionFactory factory() {
        return new AvocetConnectionFactory(server.url() + "?reconnectDelay=50&reconnectDelayMax=200");
    }
}

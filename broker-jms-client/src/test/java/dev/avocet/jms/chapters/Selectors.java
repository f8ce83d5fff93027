package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.8: many selectors, and the one message that they select or do not. */
public abstract class Selectors extends Chapter {
    private Session session;
    private Queue queue;

    protected Selectors(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
        queue = queue(session);
        TextMessage message = session.createTextMessage("text");
        message.setIntProperty("i", 5);
        message.setLongProperty("l", 7);
        message.setDoubleProperty("d", 2.5);
        message.setFloatProperty("f", 0.5f);
        message.setBooleanProperty("yes", true);
        message.setBooleanProperty("no", false);
        message.setStringProperty("s", "abc");
        message.setStringProperty("under", "a_b");
        message.setStringProperty("number", "12");
        message.setStringProperty("quote", "it's");
        message.setStringProperty("lines", "a\nb");
        message.setJMSType("car");
        message.setJMSCorrelationID("cid");
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.setPriority(7);
            producer.send(message);
        }
    }

    private boolean isSelectedBy(String selector) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue, selector)) {
            return consumer.receiveNoWait() != null;
        }
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @ValueSource(
            strings = {
                "i = 5",
                "i <> 4",
                "5 = i",
                "i > 4 AND i < 6 AND i >= 5 AND i <= 5",
                "i BETWEEN 5 AND 5",
                "i NOT BETWEEN 6 AND 9",
                "i BETWEEN 2 + 3 AND 3 * 2",
                "s IN ('x', 'abc')",
                "s NOT IN ('x', 'y')",
                "s LIKE 'a%'",
                "s LIKE '_b_'",
                "s LIKE 'abc%'",
                "s LIKE '%'",
                "under LIKE 'a\\_b' ESCAPE '\\'",
                "s NOT LIKE 'a\\_c' ESCAPE '\\'",
                "s NOT LIKE 'b%'",
                "lines LIKE 'a%b'",
                "yes",
                "NOT no",
                "yes = TRUE",
                "no = false",
                "yes <> no",
                "i + 1 = 6",
                "i * 2 - 1 = 9",
                "i - 1 - 1 = 3",
                "10 / i = 2",
                "-i = -5",
                "+i = 5",
                "i = 5.0",
                "d = 2.5 AND d = 25e-1 AND d = .25E1",
                "d * 2 = i",
                "f = 0.5",
                "l = 7 AND l = 7L",
                "i = 0x5 AND i = 05",
                "quote = 'it''s'",
                "i = 4 OR i = 5 AND yes",
                "(i = 4 OR i = 5) AND yes",
                "NOT (i = 4 OR i = 3)",
                "s = 'abc' and not (i = 4) Or no",
                "JMSType = 'car'",
                "JMSPriority = 7 AND JMSPriority > 4",
                "JMSCorrelationID = 'cid'",
                "JMSTimestamp > 0",
                "JMSMessageID LIKE 'ID:%'",
                "JMSMessageID IS NOT NULL",
                "",
                "   "
            })
    void shouldSelect(String selector) throws JMSException {
        assertThat(isSelectedBy(selector)).isTrue();
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @ValueSource(
            strings = {
                "i = 4",
                "I = 5",
                "s = 'ABC'",
                "s LIKE 'ab'",
                "s LIKE 'A%'",
                "s LIKE '_'",
                "under LIKE 'a\\%b' ESCAPE '\\'",
                "i BETWEEN 6 AND 4",
                "i NOT BETWEEN 1 AND 9",
                "s NOT IN ('abc')",
                "no OR NOT yes",
                "JMSType = 'CAR'",
                "FALSE"
            })
    void shouldNotSelect(String selector) throws JMSException {
        assertThat(isSelectedBy(selector)).isFalse();
    }

    /** Strings and numbers do not compare: neither are they equal nor is one the greater. */
    @ParameterizedTest
    @Section("3.8.1.1")
    @ValueSource(strings = {"number = 12", "number > 5", "i = '5'", "i <> 'x' AND FALSE", "yes = 'true'"})
    void shouldNotCompareTypesThatAreNotAlike(String selector) throws JMSException {
        assertThat(isSelectedBy(selector)).isFalse();
    }

    @ParameterizedTest
    @Section("3.8.1.2")
    @ValueSource(
            strings = {
                "none IS NULL",
                "i IS NOT NULL",
                "JMSReplyTo IS NULL OR TRUE",
                "none IS NULL OR none > 5",
                "i = 5 OR none = 1",
                "none = 1 OR i = 5",
                "NOT (i = 4 AND none = 1)",
                "NOT (none = 1 AND i = 4)",
                "NOT (none IS NOT NULL)",
                "i NOT BETWEEN none AND 2",
                "(none = 1 AND FALSE) OR yes"
            })
    void shouldSelectWhereNullDoesNotMatter(String selector) throws JMSException {
        assertThat(isSelectedBy(selector)).isTrue();
    }

    @ParameterizedTest
    @Section("3.8.1.2")
    @ValueSource(
            strings = {
                "none = 1",
                "none <> 1",
                "NOT (none = 1)",
                "NOT (none <> 1)",
                "none",
                "NOT none",
                "i = 5 AND none = 1",
                "none = 1 OR no",
                "NOT (none = 1 OR no)",
                "NOT (i = 5 AND none = 1)",
                "none LIKE 'a%'",
                "none NOT LIKE 'a%'",
                "none IN ('a')",
                "none NOT IN ('a')",
                "none BETWEEN 1 AND 2",
                "none NOT BETWEEN 1 AND 2",
                "none + 1 = 1",
                "none <> none"
            })
    void shouldNotSelectWhatIsUnknown(String selector) throws JMSException {
        assertThat(isSelectedBy(selector)).isFalse();
    }

    @Test
    @Section("3.8.1.1")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting value to be true but was false",
            because = "its NOT binds closer than the comparison")
    void shouldCompareBeforeItNegates() throws JMSException {
        assertThat(isSelectedBy("NOT i = 4")).isTrue();
    }

    @Test
    @Section("3.8.1.2")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting value to be false but was true",
            because = "it takes one unknown for equal to another")
    void shouldNotKnowWhetherWhatIsUnknownIsEqual() throws JMSException {
        assertThat(isSelectedBy("none = none")).isFalse();
    }

    @Test
    @Section("3.8.1.3")
    void shouldNameDeliveryModesByWords() throws JMSException {
        assertThat(isSelectedBy("JMSDeliveryMode = 'NON_PERSISTENT'")).isFalse();
        assertThat(isSelectedBy("JMSDeliveryMode = 'PERSISTENT'")).isTrue();
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @ValueSource(
            strings = {
                "i =",
                "= 5",
                "i == 5",
                "i = 5 5",
                "i LIKE 5",
                "i BETWEEN 1",
                "i BETWEEN 1 OR 2",
                "(i = 5",
                "i = 5)",
                "s IN ()",
                "s IN 'abc'",
                "s = 'abc",
                "i = 5 AND",
                "NOT",
                "s LIKE 'a' ESCAPE 'ab'",
                "i IS 5",
                "i IS NOT",
                "AND = 5",
                "i ! 5"
            })
    void shouldRefuseWhatIsNoSelector(String selector) {
        assertThatThrownBy(() -> session.createConsumer(queue, selector)).isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    @Section("3.8.1.1")
    void shouldRefuseWhatIsNoSelectorWhereverOneIsGiven() throws JMSException {
        assertThatThrownBy(() -> {
                    try (jakarta.jms.QueueBrowser browser = session.createBrowser(queue, "i =")) {
                        browser.getEnumeration().hasMoreElements();
                    }
                })
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createConsumer(topic(session), "i =", true))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic(session), unique("name"), "i ="))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic(session), unique("name"), "i ="))
                .isInstanceOf(InvalidSelectorException.class);
        Session identified = connect(unique("client")).createSession();
        assertThatThrownBy(() -> identified.createDurableConsumer(topic(identified), "name", "i =", false))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    @Section("3.8.1")
    void shouldTellItsSelector() throws JMSException {
        assertThat(session.createConsumer(queue, "i = 5").getMessageSelector()).isEqualTo("i = 5");
        assertThat(session.createConsumer(queue).getMessageSelector()).isNull();
        assertThat(session.createConsumer(queue, null).getMessageSelector()).isNull();
        assertThat(session.createBrowser(queue, "i = 5").getMessageSelector()).isEqualTo("i = 5");
    }

    @Test
    @Section("3.8.1")
    void shouldLeaveWhatIsNotSelected() throws JMSException {
        Queue numbers = queue(session);
        try (MessageProducer producer = session.createProducer(numbers)) {
            for (int i = 0; i < 6; i++) {
                TextMessage message = session.createTextMessage("" + i);
                message.setIntProperty("i", i);
                producer.send(message);
            }
        }
        List<String> selected = new ArrayList<>();
        try (MessageConsumer some = session.createConsumer(numbers, "i = 1 OR i >= 4")) {
            selected.addAll(takeTexts(some, 3));
        }
        assertThat(selected).containsExactly("1", "4", "5");
        assertThat(takeTexts(session.createConsumer(numbers), 3)).containsExactly("0", "2", "3");
    }
}

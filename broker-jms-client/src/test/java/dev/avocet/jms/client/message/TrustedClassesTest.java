package dev.avocet.jms.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings({"JdkObsolete", "NonApiType"}) // a vector is what applications send
final class TrustedClassesTest {
    static List<Arguments> enough() {
        return List.of(
                Arguments.of("java.util.Vector,java.lang.Double", new Vector<>(List.of(1.5, 2.5))),
                Arguments.of("java.util.ArrayList,java.lang.Long", new ArrayList<>(List.of(1L, 2L))),
                Arguments.of("java.util.HashMap,java.lang.Integer", new HashMap<>(Map.of("a", 1))),
                Arguments.of("java.lang.Integer", new Integer[][] {{1}, {2, 3}}),
                Arguments.of("java.lang.String", new String[] {"a"}),
                Arguments.of("java.util.concurrent.TimeUnit", TimeUnit.DAYS),
                Arguments.of("java.util.Stack,java.lang.Double", stack()),
                Arguments.of("java.math.BigDecimal,java.math.BigInteger", new BigDecimal("1.5")),
                Arguments.of("java.", new Vector<>(List.of(1.5))),
                Arguments.of("*", new BigDecimal("1.5")));
    }

    private static Stack<Double> stack() {
        final Stack<Double> stack = new Stack<>();
        stack.push(1.5);
        return stack;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("enough")
    void shouldTakeAnObjectOfTheClassesThatAreNamed(final String trusted, final Serializable object)
            throws JMSException {
        final Object received = received(trusted, object).getObject();

        assertThat(received).usingRecursiveComparison().isEqualTo(object);
    }

    @Test
    void shouldNameTheClassAndTheOption() throws JMSException {
        assertRefused("java.util.Vector", new Vector<>(List.of(1.5)), "java.lang.Double");
        assertRefused("java.lang.Double", new Vector<>(List.of(1.5)), "java.util.Vector");
        assertRefused("java.util.Vector", new Object[] {new BigDecimal("1.5")}, "java.math.BigDecimal");
    }

    /** A superclass comes with its class, not by itself. */
    @Test
    void shouldNotTakeASuperclassAlone() throws JMSException {
        assertRefused("java.util.Stack,java.lang.Double", new Vector<>(List.of(1.5)), "java.util.Vector");
    }

    @Test
    void shouldSayWhichBoundIsPassed() throws JMSException {
        ArrayList<Object> nested = new ArrayList<>();
        for (int level = 0; level < 100; level++) {
            nested = new ArrayList<>(Arrays.asList((Object) nested));
        }
        assertRefused("*", nested, "nested deeper than 64");
    }

    private static void assertRefused(final String trusted, final Serializable object, final String why)
            throws JMSException {
        final ObjectMessage received = received(trusted, object);
        assertThatThrownBy(received::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(why.contains(".") ? "trustedClasses" : "");
    }

    private static ObjectMessage received(final String trusted, final Serializable object) throws JMSException {
        final TrustedClasses classes = new TrustedClasses(List.of(trusted.split(",")));
        final JmsObjectMessage sent = new JmsObjectMessage(classes);
        sent.setObject(object);
        final byte[] bytes = new MessageWriter().write(sent, 0);
        return (ObjectMessage) new MessageReader(ConvertMessageType.AUTOMATIC, classes).read(bytes);
    }
}

package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.client.message.DestinationOptions;
import dev.avocet.jms.client.message.JmsQueue;
import dev.avocet.jms.client.options.Option;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.stream.Collectors;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings({"JdkObsolete", "BanJNDI"}) // JNDI is older than collections, and what is tested here.
final class OptionsTest {
    private static final Path PAGE = Path.of("..", "docs", "jms.md");
    private static final String BEGIN = "<!-- begin options -->\n";
    private static final String END = "<!-- end options -->";

    @Test
    void shouldReadOptionsOfTheUrl() {
        final AvocetConnectionFactory factory = new AvocetConnectionFactory(
                "avocets://one:1,two,[::1]:3?clientMessageCache=100000&DISABLEACK=true&recvSockBuffer=64K&password=a%26b");

        assertThat(factory.getProperty("clientMessageCache")).isEqualTo("100000");
        assertThat(factory.getProperty("disableACK")).isEqualTo("true");
        assertThat(factory.getProperty("recvSockBuffer")).isEqualTo("65536");
        assertThat(factory.getUrl())
                .startsWith("avocets://one:1,two:8883,[::1]:3?")
                .contains("password=a%26b");
        assertThat(factory.getProperties()).containsKey("clientMessageCache").doesNotContainKey("password");
    }

    @Test
    void shouldTakeThePortsOfABrokerAsItIsShipped() {
        assertThat(new AvocetConnectionFactory().getUrl()).isEqualTo("avocet://localhost:1883");
        assertThat(new AvocetConnectionFactory("avocet://localhost").getUrl()).isEqualTo("avocet://localhost:1883");
        assertThat(new AvocetConnectionFactory("avocet://a,[::1],b:5672").getUrl())
                .isEqualTo("avocet://a:1883,[::1]:1883,b:5672");
        assertThat(new AvocetConnectionFactory("avocets://localhost").getUrl()).isEqualTo("avocets://localhost:8883");
    }

    @Test
    void shouldReadSeveralAddressesInParentheses() {
        assertThat(new AvocetConnectionFactory("avocet:(one:1,two)").getUrl()).isEqualTo("avocet://one:1,two:1883");
        assertThat(new AvocetConnectionFactory("avocets:(one,[::1]:3)?clientMessageCache=7").getUrl())
                .isEqualTo("avocets://one:8883,[::1]:3?clientMessageCache=7");
    }

    @Test
    void shouldNameTheNearestOption() {
        assertThatThrownBy(() -> new AvocetConnectionFactory("avocet://host?clientMesageCache=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clientMessageCache");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://host",
                "avocet:host",
                "avocet:(host",
                "avocet:()",
                "avocet://",
                "avocet://:1883",
                "avocet://[]:1883",
                "avocet://host:0",
                "avocet://host:port",
                "avocet://host?disableACK=perhaps",
                "avocet://host?clientMessageCache=-1",
                "avocet://host?clientMessageCache",
                "avocet://host?convertMessageType=xml"
            })
    void shouldRefuseWhatMeansNothing(final String url) {
        assertThatThrownBy(() -> new AvocetConnectionFactory(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldComeBackFromAStreamAndFromAReference() throws Exception {
        final AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://host:7?clientMessageCache=5");
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(factory);
        }

        final Object copy;
        try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = input.readObject();
        }
        final Reference reference = factory.getReference();
        final Object made =
                new dev.avocet.jms.jndi.AvocetObjectFactory().getObjectInstance(reference, null, null, null);

        assertThat(((AvocetConnectionFactory) copy).getUrl()).isEqualTo(factory.getUrl());
        assertThat(((AvocetConnectionFactory) made).getUrl()).isEqualTo(factory.getUrl());
    }

    @Test
    void shouldLookUpWhatTheEnvironmentNames() throws NamingException, JMSException {
        final Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "dev.avocet.jms.jndi.AvocetInitialContextFactory");
        environment.put("connectionFactory.broker", "avocet://host:7");
        environment.put("queue.orders", "physical/orders");
        final Context context = new InitialContext(environment);

        assertThat(((AvocetConnectionFactory) context.lookup("broker")).getUrl())
                .isEqualTo("avocet://host:7");
        assertThat(((Queue) context.lookup("orders")).getQueueName()).isEqualTo("physical/orders");
        assertThat(((Queue) context.lookup("dynamicQueues/a/b")).getQueueName()).isEqualTo("a/b");
        assertThatThrownBy(() -> context.lookup("other"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("orders");
    }

    @Test
    void shouldKeepTheOptionsOfADestinationInADirectory() throws Exception {
        final Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "dev.avocet.jms.jndi.AvocetInitialContextFactory");
        environment.put("queue.orders", "queue://physical/orders?clientMessageCache=5&disableACK=true");
        final JmsQueue found = (JmsQueue) new InitialContext(environment).lookup("orders");

        final JmsQueue made = (JmsQueue)
                new dev.avocet.jms.jndi.AvocetObjectFactory().getObjectInstance(found.getReference(), null, null, null);

        assertThat(made).isEqualTo(found);
        assertThat(made.getQueueName()).isEqualTo("physical/orders");
        assertThat(made.options()).isEqualTo(new DestinationOptions(5, true));
        environment.put("topic.prices", "topic://prices?clientMessageCache=many");
        assertThatThrownBy(() -> new InitialContext(environment))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("topic.prices")
                .hasMessageContaining("many");
    }

    /** Written anew with -Davocet.writeDocs=true. */
    @Test
    void shouldDescribeEachOptionInThePage() throws Exception {
        final String table = Arrays.stream(Option.values())
                .map(option -> "| `" + option.key() + "` | " + unit(option) + " | "
                        + (option.standard().isEmpty() ? "" : "`" + option.standard() + "`") + " | " + option.meaning()
                        + " |\n")
                .collect(Collectors.joining("", "| option | form | default | meaning |\n|---|---|---|---|\n", ""));
        final String page = Files.readString(PAGE);
        final int begin = page.indexOf(BEGIN) + BEGIN.length();
        final int end = page.indexOf(END);
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(table);
        }
    }

    private static String unit(final Option option) {
        return switch (option.kind()) {
            case TEXT -> "text";
            case SECRET -> "secret";
            case FLAG -> "true, false";
            case COUNT -> "number";
            case MS -> "ms";
            case BYTES -> "bytes, K, M";
        };
    }
}

package dev.avocet.jms;

import dev.avocet.jms.client.context.JmsContext;
import dev.avocet.jms.client.context.JmsXaContext;
import dev.avocet.jms.client.options.ConnectionUrl;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.session.JmsConnection;
import dev.avocet.jms.client.session.JmsXaConnection;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.wire.EventLoops;
import dev.avocet.jms.client.wire.login.Credentials;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to a broker: the one class to begin with.
 *
 * <pre>{@code
 * try (JMSContext context = new AvocetConnectionFactory("avocet://localhost").createContext()) {
 *     Queue queue = context.createQueue("orders");
 *     context.createProducer().send(queue, "hello");
 *     System.out.println(context.createConsumer(queue).receiveBody(String.class, 1000));
 * }
 * }</pre>
 *
 * <p>Options are given in the URL, as properties, or by setters; {@code docs/jms.md} lists them. An unknown option is
 * refused with the nearest one's name. Connections take a copy of the options when they are made. Thread-safe as long
 * as the options do not change meanwhile.
 */
public final class AvocetConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                XAConnectionFactory,
                XAQueueConnectionFactory,
                XATopicConnectionFactory,
                Referenceable,
                Serializable {
    /** An acknowledge mode beside those of the standard: {@code acknowledge()} means the one message. */
    public static final int INDIVIDUAL_ACKNOWLEDGE = 101;

    /** Where a factory without a URL connects to: a broker on this machine as it is shipped. */
    public static final String DEFAULT_URL = "avocet://localhost:1883";

    private static final String OBJECT_FACTORY = "dev.avocet.jms.jndi.AvocetObjectFactory";

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Options options;
    private final transient EventLoops loops = new EventLoops();
    private transient @Nullable Supplier<String> passwordSupplier;
    private transient @Nullable Supplier<String> tokenSupplier;

    /** For a broker on this machine. */
    public AvocetConnectionFactory() {
        this(DEFAULT_URL);
    }

    /**
     * For the brokers of {@code url}, as in {@code avocet://host1,host2:5672?clientMessageCache=100000};
     * {@code avocets://} for TLS. Without a port it is 1883, with TLS 8883.
     *
     * @throws IllegalArgumentException saying what is wrong with the URL
     */
    public AvocetConnectionFactory(final String url) {
        options = ConnectionUrl.parse(url);
    }

    /** Takes addresses and options of {@code url}; what it does not say stays. */
    public void setUrl(final String url) {
        options.take(ConnectionUrl.parse(url));
    }

    /** The URL that makes the same factory, with all its options, secrets among them. */
    public String getUrl() {
        return ConnectionUrl.format(options);
    }

    /**
     * Sets an option by its name; the letters' case does not matter.
     *
     * @throws IllegalArgumentException when there is no such option or it has no such value
     */
    public void setProperty(final String name, final String value) {
        options.set(Option.of(name), value);
    }

    /** The value of an option, its default where none was set. */
    public String getProperty(final String name) {
        return options.text(Option.of(name));
    }

    /** Sets several options. */
    public void setProperties(final Map<String, String> properties) {
        properties.forEach(this::setProperty);
    }

    /** The options that differ from their defaults, without secrets. */
    public Map<String, String> getProperties() {
        final Map<String, String> changed = new TreeMap<>();
        options.changed().forEach((option, value) -> {
            if (option.kind() != Option.Kind.SECRET) {
                changed.put(option.key(), value);
            }
        });
        return changed;
    }

    /** Who connects. */
    public void setUsername(final String username) {
        options.set(Option.USERNAME, username);
    }

    /** The password. */
    public void setPassword(final String password) {
        options.set(Option.PASSWORD, password);
    }

    /**
     * Asked for a password or token each time a line to a server is made, so that an expired one is replaced when the
     * connection comes again. Must not block. Not serialised.
     */
    public void setPasswordSupplier(final @Nullable Supplier<String> supplier) {
        passwordSupplier = supplier;
    }

    /**
     * Asked for a token of an OAuth server each time a line to a server is made, so that an expired one is replaced
     * when the connection comes again. The client logs in with it, by SASL OAUTHBEARER, where no password is given to
     * {@code createConnection}. Must not block. Not serialised.
     */
    public void setTokenSupplier(final @Nullable Supplier<String> supplier) {
        tokenSupplier = supplier;
    }

    /** The client identifier of the connections. */
    public void setClientID(final String clientId) {
        options.set(Option.CLIENT_ID, clientId);
    }

    /** How many messages a consumer holds ready; 0: each receive fetches its one message. */
    public void setClientMessageCache(final int messages) {
        options.set(Option.CLIENT_MESSAGE_CACHE, String.valueOf(messages));
    }

    /** Consumers take messages settled: fastest, and what is on its way is lost with the connection. */
    public void setDisableACK(final boolean disable) {
        options.set(Option.DISABLE_ACK, String.valueOf(disable));
    }

    /** DUPS_OK_ACKNOWLEDGE collects acknowledgements for so many milliseconds. */
    public void setAckInterval(final int ms) {
        options.set(Option.ACK_INTERVAL_MS, String.valueOf(ms));
    }

    /** Persistent sends outside of transactions do not wait for the server. */
    public void setAllowAsynchronousSend(final boolean allow) {
        options.set(Option.ALLOW_ASYNCHRONOUS_SEND, String.valueOf(allow));
    }

    /** Sends in a transaction do not wait for the server. */
    public void setAsyncTransactionSend(final boolean allow) {
        options.set(Option.ASYNC_TRANSACTION_SEND, String.valueOf(allow));
    }

    /** Producers begin without message identifiers. */
    public void setDisableMessageID(final boolean disable) {
        options.set(Option.DISABLE_MESSAGE_ID, String.valueOf(disable));
    }

    /** Producers begin without time stamps. */
    public void setDisableMessageTimestamp(final boolean disable) {
        options.set(Option.DISABLE_MESSAGE_TIMESTAMP, String.valueOf(disable));
    }

    /** Never give up a silent server. */
    public void setDisableTimeout(final boolean disable) {
        options.set(Option.DISABLE_TIMEOUT, String.valueOf(disable));
    }

    /** What bytes without a type become: automatic, bytes or text. */
    public void setConvertMessageType(final String type) {
        options.set(Option.CONVERT_MESSAGE_TYPE, type);
    }

    /** Classes and packages that object messages may hold, with commas between. */
    public void setTrustedClasses(final String classes) {
        options.set(Option.TRUSTED_CLASSES, classes);
    }

    private Credentials credentials(final @Nullable String username, final @Nullable String password) {
        final String name = username == null ? options.text(Option.USERNAME) : username;
        final String own = password == null ? options.text(Option.PASSWORD) : password;
        final Supplier<String> supplier = password == null ? passwordSupplier : null;
        final Supplier<String> tokens = password == null ? tokens() : null;
        return new Credentials() {
            @Override
            public @Nullable String token() {
                return tokens == null ? null : tokens.get();
            }

            @Override
            public String username() {
                return name;
            }

            @Override
            public String password() {
                return supplier == null ? own : supplier.get();
            }
        };
    }

    private @Nullable Supplier<String> tokens() {
        final String file = options.text(Option.TOKEN_FILE);
        return tokenSupplier != null || file.isEmpty() ? tokenSupplier : () -> firstLine(file);
    }

    /** A few kilobytes of a local file, once for each line to a server; the wait is too short to hand it over. */
    private static String firstLine(final String file) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
            final String line = reader.readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the token cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }

    private JmsConnection connect(final @Nullable String username, final @Nullable String password, final Domain domain)
            throws JMSException {
        return JmsConnection.connect(options, credentials(username, password), domain, loops);
    }

    private JmsXaConnection connectXa(
            final @Nullable String username, final @Nullable String password, final Domain domain) throws JMSException {
        return JmsXaConnection.connect(options, credentials(username, password), domain, loops);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return connect(null, null, Domain.COMMON);
    }

    @Override
    public Connection createConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connect(username, password, Domain.COMMON);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return connect(null, null, Domain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connect(username, password, Domain.QUEUE);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return connect(null, null, Domain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connect(username, password, Domain.TOPIC);
    }

    @Override
    public JMSContext createContext() {
        return createContext(null, null, Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(final @Nullable String username, final @Nullable String password) {
        return createContext(username, password, Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(final int sessionMode) {
        return createContext(null, null, sessionMode);
    }

    @Override
    public JMSContext createContext(
            final @Nullable String username, final @Nullable String password, final int sessionMode) {
        return JmsContext.open(() -> connect(username, password, Domain.COMMON), sessionMode);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return connectXa(null, null, Domain.COMMON);
    }

    @Override
    public XAConnection createXAConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connectXa(username, password, Domain.COMMON);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return connectXa(null, null, Domain.QUEUE);
    }

    @Override
    public XAQueueConnection createXAQueueConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connectXa(username, password, Domain.QUEUE);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return connectXa(null, null, Domain.TOPIC);
    }

    @Override
    public XATopicConnection createXATopicConnection(final @Nullable String username, final @Nullable String password)
            throws JMSException {
        return connectXa(username, password, Domain.TOPIC);
    }

    @Override
    public XAJMSContext createXAContext() {
        return createXAContext(null, null);
    }

    @Override
    public XAJMSContext createXAContext(final @Nullable String username, final @Nullable String password) {
        return JmsXaContext.open(() -> connectXa(username, password, Domain.COMMON));
    }

    @Override
    public Reference getReference() {
        final Reference reference = new Reference(AvocetConnectionFactory.class.getName(), OBJECT_FACTORY, null);
        reference.add(new StringRefAddr("url", getUrl()));
        return reference;
    }

    @Serial
    private Object writeReplace() {
        return new Serialised(getUrl());
    }

    @Serial
    private void readObject(final ObjectInputStream input) throws InvalidObjectException {
        throw new InvalidObjectException("a connection factory is serialised as its URL");
    }

    /** What stands for a factory in a stream. */
    private record Serialised(String url) implements Serializable {
        @Serial
        private Object readResolve() {
            return new AvocetConnectionFactory(url);
        }
    }
}

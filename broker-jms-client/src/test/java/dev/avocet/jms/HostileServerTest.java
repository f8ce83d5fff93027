package dev.avocet.jms;

import static dev.avocet.jms.ScriptedServer.described;
import static dev.avocet.jms.ScriptedServer.frame;
import static dev.avocet.jms.ScriptedServer.joined;
import static dev.avocet.jms.ScriptedServer.list;
import static dev.avocet.jms.ScriptedServer.string;
import static dev.avocet.jms.ScriptedServer.symbol;
import static dev.avocet.jms.ScriptedServer.transfer;
import static dev.avocet.jms.ScriptedServer.uint;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.ScriptedServer.Turn;
import dev.avocet.jms.client.codec.SymbolMemory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that says what it must not: the client gives the line up and says so, or goes to the next one; it never
 * waits for ever. What ProtonJ2 takes no notice of ends with the idle time-out, as the server says nothing else.
 */
@InTurn
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileServerTest {
    private static final byte[] NULL = {0x40};
    private static final byte[] TRUE = {0x41};
    private static final byte[] FALSE = {0x42};
    /** Each waits for its time-outs most of the time. */
    private static final int AT_ONCE = 16;

    /** What the server says instead of what it should say in a turn. */
    private record Instead(Turn turn, String what, byte[] bytes) {
        Instead(final Turn turn, final byte[] bytes) {
            this(turn, bytes.length + " bytes", bytes);
        }

        @Override
        public String toString() {
            return turn + ": " + what;
        }
    }

    @Test
    void shouldReceiveFromAServerThatIsWellBehaved() throws Exception {
        try (ScriptedServer server = new ScriptedServer()) {
            assertThat(received(factory(server, "?closeTimeout=50&idleTimeout=2000"), 0))
                    .isEqualTo("well");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MECHANISMS", "OUTCOME", "OPEN", "BEGIN", "ATTACH"})
    void shouldGiveUpWhatIsCutOffAnywhere(final Turn turn) throws Exception {
        final byte[] whole = turn.answer();
        final List<Instead> all = new ArrayList<>();
        for (int length = 9; length < whole.length; length++) {
            final byte[] cut = Arrays.copyOf(whole, length);
            ByteBuffer.wrap(cut).putInt(length);
            all.add(new Instead(turn, cut));
        }
        sayAtOnce(all, "?reconnect=false&closeTimeout=50&idleTimeout=500", factory -> failure(factory) != null);
    }

    private static List<Instead> hostile() {
        final List<Instead> all = new ArrayList<>();
        for (final Turn turn : Turn.values()) {
            final int type = turn.ordinal() < Turn.AMQP_HEADER.ordinal() ? 1 : 0;
            add(all, turn, "another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
            if (turn != Turn.SASL_HEADER && turn != Turn.AMQP_HEADER) {
                add(all, turn, "a frame of 2 GB", sized(Integer.MAX_VALUE));
                add(all, turn, "a frame of 4 GB", sized(-1));
                add(all, turn, "a frame above the largest", sized(2_000_000));
                add(all, turn, "a frame of 7 bytes", sized(7));
                add(all, turn, "no performative", frame(type, 0, string("x")));
                add(all, turn, "an unknown performative", frame(type, 0, described(0x7e, list())));
                add(all, turn, "an array of 2 thousand millions", frame(type, 0, described(0x10, list(array()))));
                add(all, turn, "nested descriptions", frame(type, 0, new byte[100_000]));
                add(all, turn, "nested lists", frame(type, 0, described(0x10, nested(5_000))));
            }
        }
        add(all, Turn.TRANSFER, "a transfer to no link", frame(0, 0, described(0x14, list(uint(9), uint(0)))));
        add(all, Turn.TRANSFER, "a transfer to no session", frame(0, 7, transfer()));
        add(all, Turn.TRANSFER, "an attach to no session", frame(0, 7, described(0x12, list(string("x"), uint(0)))));
        add(
                all,
                Turn.BEGIN,
                "a begin for no session",
                frame(0, 0, described(0x11, list(new byte[] {0x60, 0, 9}, uint(0), uint(1), uint(1)))));
        add(all, Turn.BEGIN, "open again", Turn.OPEN.answer());
        return all;
    }

    @Test
    void shouldFailTheConnection() throws Exception {
        sayAtOnce(hostile(), "?reconnect=false&closeTimeout=50&idleTimeout=500", factory -> {
            final JMSException failure = failure(factory);
            return failure != null && !failure.getMessage().isBlank();
        });
    }

    @Test
    void shouldGoOnWithTheNextLine() throws Exception {
        sayAtOnce(
                hostile(),
                "?initialConnectAttempts=5&reconnectDelay=1&closeTimeout=50&idleTimeout=2000",
                factory -> "well".equals(textOrFailure(factory)));
    }

    /** In every frame that a server can send, as a field of its performative and within one. */
    @ParameterizedTest
    @EnumSource
    void shouldSayWhichValueOfAPerformativeClaimsTooMuch(final Lies lie) throws Exception {
        final List<Instead> all = new ArrayList<>();
        for (final Turn turn : EnumSet.of(Turn.MECHANISMS, Turn.OUTCOME, Turn.OPEN, Turn.BEGIN, Turn.ATTACH)) {
            final byte[] answer = turn.answer();
            all.add(new Instead(turn, frame(answer[5], 0, described(answer[10], list(lie.bytes())))));
        }
        all.add(new Instead(Turn.TRANSFER, frame(0, 0, described(0x14, list(uint(0), uint(0), lie.bytes())))));
        all.add(new Instead(
                Turn.TRANSFER, frame(0, 0, described(0x15, list(new byte[] {0x42}, described(0x24, lie.bytes()))))));
        all.add(new Instead(Turn.TRANSFER, frame(0, 0, described(0x7e, lie.bytes()))));
        sayAtOnce(all, "?reconnect=false&closeTimeout=50", factory -> {
            final String failure = String.valueOf(firstFailure(factory).getMessage());
            assertThat(failure).contains("the server sent malformed AMQP", lie.named());
            return true;
        });
    }

    /** In every section: the message is refused when it comes, or when it is asked for what cannot be read. */
    @ParameterizedTest
    @EnumSource
    void shouldSayWhichValueOfAMessageClaimsTooMuch(final Lies lie) throws Exception {
        final byte[] well = described(0x77, string("well"));
        final byte[] entry = map(symbol("key"), lie.bytes());
        final byte[][] messages = {
            joined(described(0x70, list(new byte[] {0x42}, lie.bytes())), well),
            joined(described(0x72, entry), well),
            joined(described(0x73, list(lie.bytes())), well),
            joined(described(0x74, map(string("key"), lie.bytes())), well),
            described(0x75, lie.bytes()),
            described(0x76, list(lie.bytes())),
            described(0x77, lie.bytes()),
            described(0x77, list(string("first"), lie.bytes())),
        };
        final List<Instead> all = new ArrayList<>();
        for (final byte[] message : messages) {
            all.add(new Instead(Turn.TRANSFER, frame(0, 0, joined(transfer(), message))));
        }
        sayAtOnce(all, "?reconnect=false&closeTimeout=50", factory -> {
            final String failure = String.valueOf(firstFailure(factory).getMessage());
            assertThat(failure).contains("malformed AMQP", lie.named());
            return true;
        });
    }

    @Test
    void shouldRefuseMoreSymbolsThanSaneServersUse() throws IOException {
        final byte[][] properties = new byte[2 * (SymbolMemory.MOST + 1)][];
        for (int i = 0; i < properties.length; i++) {
            properties[i] = i % 2 == 0 ? symbol("s" + i) : NULL;
        }
        final byte[] map = list(properties);
        map[0] = (byte) 0xd1;
        try (ScriptedServer server = new ScriptedServer()) {
            server.say(
                    Turn.OPEN,
                    frame(
                            0,
                            0,
                            described(0x10, list(string("s"), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, map))));

            assertThat(failure(factory(server, "?reconnect=false&closeTimeout=50")))
                    .hasMessageContaining("the server sent more than 10000 different symbols");
        }
    }

    @Test
    void shouldRefuseAMessageThatComesInEndlessParts() throws IOException {
        final byte[] part = joined(
                described(0x14, list(uint(0), uint(0), new byte[] {(byte) 0xa0, 1, 't'}, uint(0), FALSE, TRUE)),
                new byte[60_000]);
        final byte[][] parts = new byte[20][];
        Arrays.fill(parts, frame(0, 0, part));
        try (ScriptedServer server = new ScriptedServer()) {
            server.say(Turn.TRANSFER, joined(parts));

            assertThat(firstFailure(factory(server, "?maxMessageSize=1000K&closeTimeout=50")))
                    .hasMessageContainingAll("a message of more than 1024000 bytes", "maxMessageSize", "queue");
        }
    }

    /** Nothing but the message is lost: the line is well. */
    @Test
    void shouldTellOfAMessageThatIsNone() throws Exception {
        final byte[][] bodies = {
            string("no section"),
            described(0x77, new byte[] {(byte) 0xb1, 0x7f, -1, -1, -1, 'x'}),
            described(0x77, new byte[] {(byte) 0xf0, 0, 0, 0, 5, 0x7f, -1, -1, -1, 0x41}),
            described(0x72, nested(5_000)),
            described(0x77, nested(5_000)),
            {0},
            {0, 0x53},
        };
        final List<Instead> all = new ArrayList<>();
        for (final byte[] body : bodies) {
            all.add(new Instead(Turn.TRANSFER, frame(0, 0, joined(transfer(), body))));
        }
        sayAtOnce(all, "?reconnect=false&closeTimeout=50&idleTimeout=2000", factory -> failure(factory) != null);
    }

    /** Whatever comes: a text, or an exception of JMS. */
    @Test
    void shouldEndInOneWayOrTheOtherWhateverComes() throws Exception {
        final Random random = new Random(7);
        final List<Instead> all = new ArrayList<>();
        final Turn[] turns = Turn.values();
        for (int i = 0; i < 60; i++) {
            final Turn turn = turns[random.nextInt(turns.length)];
            final byte[] bytes = turn.answer();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            all.add(new Instead(turn, bytes));
        }
        sayAtOnce(
                all,
                "?reconnect=false&requestTimeout=500&closeTimeout=50&idleTimeout=2000",
                HostileServerTest::endsSomehow);
    }

    /** Each to a client of its own by a server of its own: most wait, and need not wait for each other. */
    private static void sayAtOnce(
            final List<Instead> all, final String options, final Predicate<AvocetConnectionFactory> check)
            throws Exception {
        final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            final List<Callable<Boolean>> checks = new ArrayList<>();
            for (final Instead instead : all) {
                checks.add(() -> {
                    try (ScriptedServer server = new ScriptedServer()) {
                        server.say(instead.turn, instead.bytes);
                        return check.test(factory(server, options));
                    }
                });
            }
            final Iterator<Instead> said = all.iterator();
            for (final Future<Boolean> passed : threads.invokeAll(checks)) {
                assertThat(passed.get()).as("%s", said.next()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean endsSomehow(final AvocetConnectionFactory factory) {
        try {
            final String unused = received(factory, 500);
            return true;
        } catch (final JMSException e) {
            return e.getMessage() != null;
        }
    }

    private static String textOrFailure(final AvocetConnectionFactory factory) {
        try {
            return received(factory, 0);
        } catch (final JMSException e) {
            return e.toString();
        }
    }

    private static @Nullable JMSException failure(final AvocetConnectionFactory factory) {
        try {
            final String unused = received(factory, 0);
            return null;
        } catch (final JMSException e) {
            return e;
        }
    }

    /** The text of the first message; the failure of the connection where it has failed meanwhile. */
    private static String received(final AvocetConnectionFactory factory, final long timeoutMs) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            final List<JMSException> failures = new CopyOnWriteArrayList<>();
            connection.setExceptionListener(failures::add);
            final Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            connection.start();
            final Message message =
                    session.createConsumer(session.createQueue("queue")).receive(timeoutMs);
            if (message == null) {
                throw failures.isEmpty() ? new JMSException("nothing came") : failures.get(0);
            }
            return message.getBody(String.class);
        }
    }

    /**
     * What fails first: the connection, the message when it comes, or the message when it is asked for all that it has.
     */
    private static JMSException firstFailure(final AvocetConnectionFactory factory) {
        final BlockingQueue<JMSException> failures = new LinkedBlockingQueue<>();
        try (Connection connection = factory.createConnection()) {
            connection.setExceptionListener(failures::add);
            final Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            final MessageConsumer consumer = session.createConsumer(session.createQueue("queue"));
            try {
                consumer.setMessageListener(failWith(failures));
                connection.start();
            } catch (final jakarta.jms.IllegalStateException closed) {
                return failures.take(); // the connection has failed meanwhile
            }
            return failures.take();
        } catch (final JMSException e) {
            return e;
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static MessageListener failWith(final BlockingQueue<JMSException> failures) {
        return message -> {
            try {
                final String id = message.getJMSMessageID();
                final Object body = message instanceof final StreamMessage stream
                        ? stream.readObject()
                        : message.getBody(Object.class);
                failures.add(new JMSException("was read: " + id + ", " + body));
            } catch (final JMSException e) {
                failures.add(e);
            }
        };
    }

    private static AvocetConnectionFactory factory(final ScriptedServer server, final String options) {
        return new AvocetConnectionFactory("avocet://localhost:" + server.port() + options);
    }

    private static void add(final List<Instead> to, final Turn turn, final String what, final byte[] bytes) {
        to.add(new Instead(turn, what, bytes));
    }

    private static byte[] sized(final int size) {
        return ByteBuffer.allocate(8).putInt(size).putInt(0x02000000).array();
    }

    private static byte[] array() {
        return ByteBuffer.allocate(10)
                .put((byte) 0xf0)
                .putInt(5)
                .putInt(Integer.MAX_VALUE)
                .put((byte) 0x41)
                .array();
    }

    private static byte[] map(final byte[] key, final byte[] value) {
        final byte[] map = list(key, value);
        map[0] = (byte) 0xd1;
        return map;
    }

    private static byte[] nested(final int levels) {
        final ByteBuffer bytes = ByteBuffer.allocate(levels * 9 + 1);
        for (int level = 0; level < levels; level++) {
            bytes.put((byte) 0xd0).putInt(bytes.remaining() - 4).putInt(1);
        }
        return bytes.put((byte) 0x40).array();
    }
}

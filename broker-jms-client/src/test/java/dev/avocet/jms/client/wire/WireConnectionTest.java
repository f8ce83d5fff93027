package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.ConnectionUrl;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.route.Route;
import dev.avocet.jms.client.wire.route.WireException;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the client does with servers that throw it out, send it elsewhere or allow it little. */
final class WireConnectionTest {
    private static final int PATIENCE_S = 40;
    private static final Credentials ANNA = new Credentials() {
        @Override
        public String username() {
            return "anna";
        }

        @Override
        public String password() {
            return "anna";
        }
    };

    private final List<ScriptedServer> servers = new CopyOnWriteArrayList<>();
    private final ManualPauses pauses = new ManualPauses();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final EventLoops loops = new EventLoops();
    private WireConnection connection;

    @AfterEach
    void closeEverything() throws Exception {
        if (connection != null) {
            pauses.left.set(0);
            connection.close().get(PATIENCE_S, TimeUnit.SECONDS);
        }
        for (final ScriptedServer server : servers) {
            server.close();
        }
    }

    @Test
    void shouldPauseLongerEachTimeItIsThrownOut() throws Exception {
        // given
        final ScriptedServer server = serve(WireConnectionTest::throwOut);

        // when
        pauses.left.set(6);
        connect(server, "");

        // then: the first loss costs no pause
        await().until(() -> pauses.delaysMs.size() == 7);
        assertThat(pauses.delaysMs).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L);
        assertThat(server.connections()).isEqualTo(8);
    }

    @Test
    void shouldBeginWithTheFirstPauseAgainWhenAConnectionLasted() throws Exception {
        // given
        final ScriptedServer server = serve(WireConnectionTest::throwOut);
        pauses.longLine = 4;

        // when
        pauses.left.set(4);
        connect(server, "");

        // then
        await().until(() -> pauses.delaysMs.size() == 5);
        assertThat(pauses.delaysMs).containsExactly(100L, 200L, 400L, 100L, 200L);
    }

    @Test
    void shouldTryTheNextAddressWhenItIsThrownOut() throws Exception {
        final ScriptedServer bad = serve(WireConnectionTest::throwOut);
        final ScriptedServer good = serve((open, before) -> open.open());

        connectTo("avocet://localhost:" + bad.port() + ",localhost:" + good.port());

        await().until(() -> events.contains("restored localhost:" + good.port()));
        assertThat(bad.connections()).isEqualTo(2);
        assertThat(pauses.delaysMs).isEmpty();
    }

    @Test
    void shouldFollowARedirect() throws Exception {
        // given
        final AtomicReference<String> hostname = new AtomicReference<>();
        final ScriptedServer second = serve((open, before) -> {
            hostname.set(open.getRemoteHostname());
            open.open();
        });
        final ScriptedServer first = serve((open, before) -> redirect(open, "localhost", second.port()));

        // when
        connect(first, "");

        // then
        await().until(() -> hostname.get() != null);
        assertThat(hostname).hasValue("orders.example");
        assertThat(first.connections()).isEqualTo(1);
        assertThat(pauses.delaysMs).isEmpty();
    }

    @Test
    void shouldReturnToItsOwnAddressesWhenTheOtherServerIsLost() throws Exception {
        final ScriptedServer second = serve((open, before) -> {
            if (before == 0) {
                throwOut(open, before);
            } else {
                open.open();
            }
        });
        final ScriptedServer first = serve((open, before) -> redirect(open, "localhost", second.port()));

        connect(first, "");

        await().until(() -> events.contains("restored localhost:" + second.port()));
        assertThat(first.connections()).isEqualTo(2);
    }

    @Test
    void shouldNotBeSentAroundForEver() throws Exception {
        final AtomicReference<ScriptedServer> itself = new AtomicReference<>();
        final ScriptedServer server =
                serve((open, before) -> redirect(open, "localhost", itself.get().port()));
        itself.set(server);

        final CompletableFuture<Void> opened = connect(server, "");

        assertThatThrownBy(() -> opened.get(PATIENCE_S, TimeUnit.SECONDS))
                .hasMessageContaining("send this client around");
        assertThat(server.connections()).isEqualTo(Route.REDIRECTS_MAX + 1);
    }

    @Test
    void shouldNotTellItsNameToAServerThatNobodyNamed() throws Exception {
        final ScriptedServer second = serve((open, before) -> open.open());
        final ScriptedServer first = serve((open, before) -> redirect(open, "127.0.0.1", second.port()));

        final CompletableFuture<Void> opened = connect(first, "");

        assertThatThrownBy(() -> opened.get(PATIENCE_S, TimeUnit.SECONDS)).hasMessageContaining("redirectHosts");
        assertThat(second.connections()).isZero();
    }

    @Test
    void shouldPassByAServerThatSendsItWhereItMayNotGo() throws Exception {
        final ScriptedServer stranger = serve((open, before) -> open.open());
        final ScriptedServer first = serve((open, before) -> redirect(open, "127.0.0.1", stranger.port()));
        final ScriptedServer second = serve((open, before) -> open.open());

        connectTo("avocet:(localhost:" + first.port() + ",localhost:" + second.port() + ")")
                .get(PATIENCE_S, TimeUnit.SECONDS);

        assertThat(second.connections()).isEqualTo(1);
        assertThat(stranger.connections()).isZero();
    }

    @Test
    void shouldLetAServerSendItOnThatAsksForNoName() throws Exception {
        // given: neither asks for a name, and this client has one
        final ScriptedServer second = serve((open, before) -> open.open());
        final AtomicReference<String> container = new AtomicReference<>();
        final ScriptedServer first = serve((open, before) -> {
            container.set(open.getRemoteContainerId());
            redirect(open, "localhost", second.port());
        });

        // when
        connection = new WireConnection(
                ConnectionUrl.parse("avocet://localhost:" + first.port()), ANNA, new Told(), loops, pauses);
        connection.connect();
        final CompletableFuture<Void> opened = connection.open("annas client");

        // then it goes on from the first, and does not take the second one's word
        assertThatThrownBy(() -> opened.get(PATIENCE_S, TimeUnit.SECONDS))
                .hasMessageContaining("no SASL mechanism fits");
        assertThat(container.get()).startsWith("passing-by-");
        assertThat(second.connections()).isEqualTo(1);
    }

    @Test
    void shouldFollowARedirectToAHostThatTheOptionsName() throws Exception {
        final ScriptedServer second = serve((open, before) -> open.open());
        final ScriptedServer first = serve((open, before) -> redirect(open, "127.0.0.1", second.port()));

        connect(first, "&redirectHosts=broker.example,127.0.0.1").get(PATIENCE_S, TimeUnit.SECONDS);

        assertThat(second.connections()).isEqualTo(1);
    }

    @Test
    void shouldFollowALinkToAnotherNodeOfTheServer() throws Exception {
        // given
        final ScriptedServer server = serve((open, before) -> {
            open.sessionOpenHandler(session -> session.open());
            open.receiverOpenHandler(WireConnectionTest::sendOnToNew);
            open.open();
        });
        connect(server, "").get(PATIENCE_S, TimeUnit.SECONDS);
        final WireSession session = onLoop(() -> connection.session(false));

        // when
        final WireSender sender = onLoop(() -> session.sender(to("old")));

        // then
        assertThat(sender.opened().get(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo("new");
    }

    @Test
    void shouldRefuseALinkThatTheServerWouldNotTake() throws Exception {
        // given
        final ScriptedServer server = serve((open, before) -> {
            open.sessionOpenHandler(session -> session.setHandleMax(2).open());
            open.receiverOpenHandler(
                    link -> link.setTarget((Target) link.getRemoteTarget()).open());
            open.open();
        });
        connect(server, "").get(PATIENCE_S, TimeUnit.SECONDS);
        final WireSession session = onLoop(() -> connection.session(false));
        session.opened().get(PATIENCE_S, TimeUnit.SECONDS);
        for (int i = 0; i < 2; i++) {
            final String name = "queue-" + i;
            onLoop(() -> session.sender(to(name))).opened().get(PATIENCE_S, TimeUnit.SECONDS);
        }

        // when
        final WireSender tooMany = onLoop(() -> session.sender(to("queue-2")));

        // then
        assertThatThrownBy(() -> tooMany.opened().get(PATIENCE_S, TimeUnit.SECONDS))
                .hasMessageContaining("has 2 producers, consumers and browsers open")
                .hasMessageContaining("handle-max");
    }

    @Test
    void shouldRefuseASessionThatTheServerWouldNotTake() throws Exception {
        final ScriptedServer server = serve((open, before) -> {
            open.sessionOpenHandler(session -> session.open());
            open.setChannelMax(1).open();
        });
        connect(server, "").get(PATIENCE_S, TimeUnit.SECONDS);
        for (int i = 0; i < 2; i++) {
            onLoop(() -> connection.session(false)).opened().get(PATIENCE_S, TimeUnit.SECONDS);
        }

        final WireSession tooMany = onLoop(() -> connection.session(false));

        assertThatThrownBy(() -> tooMany.opened().get(PATIENCE_S, TimeUnit.SECONDS))
                .hasMessageContaining("has 2 sessions")
                .hasMessageContaining("channel-max");
    }

    private static SenderSpec to(final String queue) {
        return new SenderSpec("to " + queue, queue, "queue", false, null);
    }

    private static void throwOut(final Connection open, final int before) {
        open.open();
        open.setCondition(new ErrorCondition(Symbol.valueOf("amqp:connection:forced"), "not now"));
        open.close();
    }

    private static void redirect(final Connection open, final String host, final int port) {
        open.setProperties(Map.of(Symbol.valueOf("amqp:connection-establishment-failed"), true));
        open.open();
        open.setCondition(new ErrorCondition(
                Symbol.valueOf("amqp:connection:redirect"),
                "over there",
                Map.of(
                        Symbol.valueOf("hostname"),
                        "orders.example",
                        Symbol.valueOf("network-host"),
                        host,
                        Symbol.valueOf("port"),
                        UnsignedShort.valueOf(port))));
        open.close();
    }

    private static void sendOnToNew(final Receiver link) {
        final Target target = link.getRemoteTarget();
        if (target.getAddress().equals("new")) {
            link.setTarget(target).open();
        } else {
            link.setTarget((Target) null).open();
            link.setCondition(new ErrorCondition(
                    Symbol.valueOf("amqp:link:redirect"), "moved", Map.of(Symbol.valueOf("address"), "new")));
            link.close();
        }
    }

    private ScriptedServer serve(final ObjIntConsumer<Connection> script) throws IOException {
        final ScriptedServer server = new ScriptedServer(script);
        servers.add(server);
        return server;
    }

    private CompletableFuture<Void> connect(final ScriptedServer server, final String options) throws WireException {
        return connectTo("avocet://localhost:" + server.port() + "?reconnectDelayMax=5000" + options);
    }

    private CompletableFuture<Void> connectTo(final String url) throws WireException {
        connection = new WireConnection(ConnectionUrl.parse(url), Unattended.LOGIN, new Told(), loops, pauses);
        connection.connect();
        return connection.open("test");
    }

    private <T> T onLoop(final Supplier<T> action) throws Exception {
        final CompletableFuture<T> done = new CompletableFuture<>();
        connection.run(() -> done.complete(action.get()));
        return done.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /**
     * Time stands still, except while one line is open, and pauses are over at once: so many, and then the connection
     * rests.
     */
    private static final class ManualPauses implements Pauses {
        private final List<Long> delaysMs = new CopyOnWriteArrayList<>();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile int longLine = -1;
        private final AtomicInteger left = new AtomicInteger();

        @Override
        public long nowMs() {
            // The connection asks when a line is open and when that is lost.
            final int before = asked.getAndIncrement();
            return longLine >= 0 && before > 2 * longLine ? 60_000 : 0;
        }

        @Override
        public void pause(final EventLoop loop, final long delayMs, final Runnable then) {
            delaysMs.add(delayMs);
            if (left.getAndDecrement() > 0) {
                then.run();
            }
        }
    }

    private final class Told implements WireEvents {
        @Override
        public void restored(final Address address) {
            events.add("restored " + address);
        }

        @Override
        public void interrupted(final WireException cause) {
            events.add("interrupted");
        }

        @Override
        public void failed(final WireException cause) {
            events.add("failed");
        }
    }
}

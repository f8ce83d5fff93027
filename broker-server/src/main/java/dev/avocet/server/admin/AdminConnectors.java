package dev.avocet.server.admin;

import dev.avocet.core.tls.JavaTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address of the administration, which can change while requests are answered. Changed by one thread at a time. */
final class AdminConnectors {
    private static final Logger LOG = LoggerFactory.getLogger(AdminConnectors.class);
    /** For requests that come over the old address to be answered, the one among them that has changed it. */
    private static final long LAST_ANSWERS_S = 5;
    /**
     * For a port that was given up: the kernel lets go of it when the thread that waits there for connections has woken
     * up, not before.
     */
    private static final int MAX_LOOKS = 500;

    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Server server;
    private final HttpConfiguration http;
    private AdminPlace place;
    private volatile Open open;
    private @Nullable Open retired;

    private AdminConnectors(Server server, HttpConfiguration http, AdminPlace place) {
        this.server = server;
        this.http = http;
        this.place = place;
        this.open = make(place);
    }

    /** Takes connections from the listener when the server starts. */
    static AdminConnectors of(Server server, HttpConfiguration http, AdminListener listener) {
        AdminConnectors made = new AdminConnectors(server, http, listener.place());
        try {
            made.open.connector.open(listener.channel());
        } catch (IOException e) {
            throw new UncheckedIOException("the listener cannot be used", e);
        }
        return made;
    }

    Connector first() {
        return open.connector;
    }

    int port() {
        return open.connector.getLocalPort();
    }

    /** Listens elsewhere. Requests under way are answered; when it cannot, everything stays as it was. */
    void moveTo(AdminPlace next) throws IOException {
        Open old = open;
        Open begun = make(next);
        if (place.isInTheWayOf(next)) {
            takePortOver(old, begun);
        } else {
            begin(begun);
            old.connector.shutdown();
        }
        open = begun;
        place = next;
        retire(old);
    }

    /** New connections get another certificate; those that are open keep theirs. */
    void renew(JavaTls tls) {
        SslContextFactory.Server factory = open.tls;
        if (factory == null) {
            return;
        }
        try {
            open.sessions.set(tls.sessions());
            factory.reload(changed -> factory.setSslContext(tls.context()));
        } catch (Exception e) {
            LOG.error("The new certificate of the administration cannot be used, and the old one stays", e);
        }
    }

    private void begin(Open begun) throws IOException {
        server.addConnector(begun.connector);
        try {
            begun.connector.start();
        } catch (Exception e) {
            stop(begun); // which may listen already
            throw AdminServer.asIoException(e);
        }
    }

    /** Takes the port up that was given up just now; blocks while it is not free. */
    private void beginAtOwnPort(Open begun) throws IOException {
        for (int looks = 1; ; looks++) {
            try {
                begin(begun);
                return;
            } catch (IOException e) {
                if (looks == MAX_LOOKS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(this, LOOK_AGAIN_NS);
            }
        }
    }

    private void takePortOver(Open old, Open begun) throws IOException {
        old.connector.shutdown();
        try {
            beginAtOwnPort(begun);
        } catch (IOException e) {
            goBackTo(old);
            throw e;
        }
    }

    private void goBackTo(Open old) throws IOException {
        Open again = make(place);
        beginAtOwnPort(again);
        open = again;
        retire(old);
    }

    /**
     * Takes no connections any more, answers what has been asked, and is gone after a while, or when the next one
     * retires.
     */
    private void retire(Open old) {
        stop(retired);
        retired = old;
        var unused = CompletableFuture.runAsync(
                () -> stop(old), CompletableFuture.delayedExecutor(LAST_ANSWERS_S, TimeUnit.SECONDS));
    }

    private void stop(@Nullable Open old) {
        if (old == null) {
            return;
        }
        try {
            server.removeConnector(old.connector);
            old.connector.stop();
        } catch (Exception e) {
            LOG.debug("An address that is not used any more could not be given up", e);
        }
    }

    private Open make(AdminPlace wanted) {
        JavaTls tls = wanted.tls();
        SslContextFactory.Server factory = tls == null ? null : factory(tls);
        ServerConnector connector = factory == null
                ? new ServerConnector(server, new HttpConnectionFactory(http))
                : new ServerConnector(server, new SslConnectionFactory(factory, "http/1.1"), secured());
        connector.setHost(wanted.address().getHostString());
        connector.setPort(wanted.address().getPort());
        AtomicReference<JavaTls.@Nullable SessionCheck> sessions =
                new AtomicReference<>(tls == null ? null : tls.sessions());
        if (tls != null) {
            connector.addBean(new ClientSessions(sessions));
        }
        return new Open(connector, factory, sessions);
    }

    private HttpConnectionFactory secured() {
        HttpConfiguration secured = new HttpConfiguration(http);
        secured.addCustomizer(new SecureRequestCustomizer(false)); // by whatever name a client reaches it
        return new HttpConnectionFactory(secured);
    }

    private static SslContextFactory.Server factory(JavaTls tls) {
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setSslContext(tls.context());
        factory.setIncludeProtocols(tls.protocols().toArray(new String[0]));
        factory.setExcludeProtocols();
        factory.setIncludeCipherSuites(tls.suites().toArray(new String[0]));
        factory.setExcludeCipherSuites();
        factory.setUseCipherSuitesOrder(!tls.options().clientOrder());
        factory.setNeedClientAuth(tls.requiresCertificate());
        factory.setSniRequired(false);
        return factory;
    }

    private record Open(
            ServerConnector connector,
            SslContextFactory.@Nullable Server tls,
            AtomicReference<JavaTls.@Nullable SessionCheck> sessions) {}
}

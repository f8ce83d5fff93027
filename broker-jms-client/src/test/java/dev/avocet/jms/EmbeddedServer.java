package dev.avocet.jms;

import java.nio.file.Path;
import java.util.Set;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.jspecify.annotations.Nullable;

/** Artemis with its AMQP acceptor, inside the test's JVM: somebody else's idea of the standard. */
public final class EmbeddedServer {
    private final Path directory;
    private final int port;
    private String acceptorOptions = "";
    private @Nullable ActiveMQSecurityManager security;
    private @Nullable ActiveMQServer server;

    public EmbeddedServer(final Path directory, final int port) {
        this.directory = directory;
        this.port = port;
    }

    public String url() {
        return "avocet://localhost:" + port;
    }

    int port() {
        return port;
    }

    /** Further parameters of the acceptor. */
    EmbeddedServer acceptorOptions(final String options) {
        acceptorOptions = options;
        return this;
    }

    /** Lets only this user in. */
    EmbeddedServer login(final String username, final String password) {
        security = new ActiveMQSecurityManager() {
            @Override
            public boolean validateUser(final String user, final String given) {
                return username.equals(user) && password.equals(given);
            }

            @Override
            public boolean validateUserAndRole(
                    final String user, final String given, final Set<Role> roles, final CheckType check) {
                return validateUser(user, given);
            }
        };
        return this;
    }

    public EmbeddedServer start() throws Exception {
        final Configuration configuration = new ConfigurationImpl()
                .setSecurityEnabled(security != null)
                .setPersistenceEnabled(true)
                .setJournalType(org.apache.activemq.artemis.core.server.JournalType.NIO)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .setJournalFileSize(1 << 20)
                .setJournalMinFiles(2)
                .setJournalSyncNonTransactional(true)
                .setJournalSyncTransactional(true)
                .addAcceptorConfiguration("amqp", "tcp://localhost:" + port + "?protocols=AMQP" + acceptorOptions);
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateQueues(true)
                        .setAutoCreateAddresses(true)
                        .setAutoDeleteQueues(false)
                        .setMaxDeliveryAttempts(-1));
        server = security == null
                ? ActiveMQServers.newActiveMQServer(configuration, true)
                : ActiveMQServers.newActiveMQServer(configuration, null, security, true);
        server.start();
        server.waitForActivation(20, java.util.concurrent.TimeUnit.SECONDS);
        return this;
    }

    /** Without a farewell to clients. */
    void stop() throws Exception {
        if (server != null) {
            server.fail(false);
            server = null;
        }
    }

    public void close() throws Exception {
        if (server != null) {
            server.stop();
            server = null;
        }
    }
}

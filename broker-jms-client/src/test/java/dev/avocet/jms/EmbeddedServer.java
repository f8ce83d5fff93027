package dev.avocet.jms;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;

/** Artemis with its AMQP acceptor, inside the test's JVM: somebody else's idea of the standard. */
public final class EmbeddedServer {
    private final Path directory;
    private final int port;
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

    public EmbeddedServer start() throws Exception {
        final Configuration configuration = new ConfigurationImpl()
                .setSecurityEnabled(false)
                .setPersistenceEnabled(true)
                .setJournalType(org.apache.activemq.artemis.core.server.JournalType.NIO)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .setJournalFileSize(1 << 20)
                .setJournalMinFiles(2)
                .setJournalSyncNonTransactional(false)
                .setJournalSyncTransactional(false)
                .addAcceptorConfiguration("amqp", "tcp://localhost:" + port + "?protocols=AMQP");
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateQueues(true)
                        .setAutoCreateAddresses(true)
                        .setAutoDeleteQueues(false)
                        .setMaxDeliveryAttempts(-1));
        server = ActiveMQServers.newActiveMQServer(configuration, true);
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

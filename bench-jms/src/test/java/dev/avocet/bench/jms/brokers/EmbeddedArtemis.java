package dev.avocet.bench.jms.brokers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** Artemis with the protocol of its own client, without a socket. */
final class EmbeddedArtemis {
    private static final String URL = "vm://77";

    private final ActiveMQServer server;

    EmbeddedArtemis(Path directory) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setSecurityEnabled(false)
                .setPersistenceEnabled(false)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .addAcceptorConfiguration("in-vm", URL);
        configuration.addAddressSetting(
                "#", new AddressSettings().setAutoCreateQueues(true).setAutoCreateAddresses(true));
        server = ActiveMQServers.newActiveMQServer(configuration, false);
        server.start();
        server.waitForActivation(20, TimeUnit.SECONDS);
    }

    String url() {
        return URL;
    }

    void close() throws Exception {
        server.stop();
    }
}

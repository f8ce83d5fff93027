package dev.avocet.jms.chapters;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.EmbeddedServer;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The client of this house and a server of others. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AvocetOnArtemisTest {
    private EmbeddedServer server;
    private Provider provider;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        server = new EmbeddedServer(directory, FreePort.next()).start();
        // This server ends the connection of who shares a subscription with another selector, again and again.
        String url = server.url() + "?trustedClasses=*&reconnect=false";
        provider = new Provider() {
            @Override
            public Run run() {
                return Run.ARTEMIS_BROKER;
            }

            @Override
            public ConnectionFactory factory(String clientId) {
                return new AvocetConnectionFactory(clientId == null ? url : url + "&clientID=" + clientId);
            }
        };
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    @Nested
    final class MessageHeadersChapter extends MessageHeaders {
        MessageHeadersChapter() {
            super(provider);
        }
    }

    @Nested
    final class MessagePropertiesChapter extends MessageProperties {
        MessagePropertiesChapter() {
            super(provider);
        }
    }

    @Nested
    final class MessageBodiesChapter extends MessageBodies {
        MessageBodiesChapter() {
            super(provider);
        }
    }

    @Nested
    final class SelectorsChapter extends Selectors {
        SelectorsChapter() {
            super(provider);
        }
    }

    @Nested
    final class QueuesChapter extends Queues {
        QueuesChapter() {
            super(provider);
        }
    }

    @Nested
    final class TopicsChapter extends Topics {
        TopicsChapter() {
            super(provider);
        }
    }

    @Nested
    final class ConnectionsChapter extends Connections {
        ConnectionsChapter() {
            super(provider);
        }
    }

    @Nested
    final class SessionsChapter extends Sessions {
        SessionsChapter() {
            super(provider);
        }
    }

    @Nested
    final class ProducersChapter extends Producers {
        ProducersChapter() {
            super(provider);
        }
    }

    @Nested
    final class ConsumersChapter extends Consumers {
        ConsumersChapter() {
            super(provider);
        }
    }

    @Nested
    final class ContextsChapter extends Contexts {
        ContextsChapter() {
            super(provider);
        }
    }

    @Nested
    final class FacilitiesChapter extends Facilities {
        FacilitiesChapter() {
            super(provider);
        }
    }
}

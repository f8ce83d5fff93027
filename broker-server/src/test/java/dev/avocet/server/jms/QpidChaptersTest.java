package dev.avocet.server.jms;

import dev.avocet.jms.chapters.Connections;
import dev.avocet.jms.chapters.Consumers;
import dev.avocet.jms.chapters.Contexts;
import dev.avocet.jms.chapters.Facilities;
import dev.avocet.jms.chapters.MessageBodies;
import dev.avocet.jms.chapters.MessageHeaders;
import dev.avocet.jms.chapters.MessageProperties;
import dev.avocet.jms.chapters.Producers;
import dev.avocet.jms.chapters.Provider;
import dev.avocet.jms.chapters.Queues;
import dev.avocet.jms.chapters.Run;
import dev.avocet.jms.chapters.Selectors;
import dev.avocet.jms.chapters.Sessions;
import dev.avocet.jms.chapters.Topics;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The specification's chapters with a client of others and the broker of this house. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QpidChaptersTest {
    private ServerUnderTest server;
    private Provider provider;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        server = new ServerUnderTest(data);
        String url = server.url().replace("avocet:", "amqp:") + "?jms.deserializationPolicy.allowList=*";
        provider = new Provider() {
            @Override
            public Run run() {
                return Run.QPID_CLIENT;
            }

            @Override
            public ConnectionFactory factory(String clientId) {
                JmsConnectionFactory factory = new JmsConnectionFactory(url);
                if (clientId != null) {
                    factory.setClientID(clientId);
                }
                return factory;
            }
        };
    }

    @AfterAll
    void stop() {
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

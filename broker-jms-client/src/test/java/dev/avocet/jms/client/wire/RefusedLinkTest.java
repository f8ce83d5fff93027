package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.io.IOException;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.junit.jupiter.api.Test;

final class RefusedLinkTest {
    /** Its name would have been the server's to give. */
    @Test
    void shouldSayThatThereIsNoTemporaryDestination() throws IOException, JMSException {
        try (ScriptedServer server = new ScriptedServer((opened, before) -> {
                    opened.sessionOpenHandler(org.apache.qpid.protonj2.engine.Session::open);
                    opened.receiverOpenHandler(RefusedLinkTest::refuse);
                    opened.open();
                });
                Connection connection = new AvocetConnectionFactory(
                                "avocet://localhost:" + server.port() + "?temporaryQueue=_TQ/&closeTimeout=50")
                        .createConnection()) {
            final Session session = connection.createSession();

            assertThatThrownBy(session::createTemporaryQueue)
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining(
                            "the server makes no temporary destination whose name begins with _TQ/: no policy");
            assertThatThrownBy(session::createTemporaryTopic)
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("the server makes no temporary destination: no policy");
        }
    }

    private static void refuse(final Receiver link) {
        link.setTarget((org.apache.qpid.protonj2.types.messaging.Target) null);
        link.open();
        link.setCondition(new ErrorCondition(AmqpError.UNAUTHORIZED_ACCESS, "no policy"));
        link.close();
    }
}

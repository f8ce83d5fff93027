package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Endpoints of the broker as it is shipped that send their clients elsewhere, and who may end global transactions in
 * doubt.
 */
@InTurn
@Timeout(240)
class RedirectAndRecoveryTest {
    private static final long PATIENCE_MS = 30_000;
    private static final String ONCE = "?reconnect=false";

    private static Administered broker;
    private static int served;
    private static int redirecting;
    private static int named;
    private static int recovering;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        broker = Administered.startWithObjects(folder.resolve("data"));
        served = FreePort.next();
        redirecting = FreePort.next();
        named = FreePort.next();
        recovering = FreePort.next();
        Path change = Files.writeString(
                folder.resolve("endpoints.json"), """
                {"Endpoint": {"DemoMqttEndpoint": {"Enabled": false},
                   "served": {"Port": %1$d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "DemoTopicPolicy",
                     "QueuePolicies": "DemoQueuePolicy"},
                   "redirecting": {"Port": %2$d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "DemoTopicPolicy",
                     "RedirectTo": "127.0.0.1:%1$d"},
                   "named": {"Port": %3$d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Passwords", "ConnectionPolicies": "DemoConnectionPolicy",
                     "QueuePolicies": "DemoQueuePolicy"},
                   "recovering": {"Port": %4$d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Passwords", "ConnectionPolicies": "Recovery",
                     "QueuePolicies": "DemoQueuePolicy"}},
                 "SecurityProfile": {"Passwords": {"TLSEnabled": false}},
                 "ConnectionPolicy": {"Recovery": {"ClientID": "*", "AllowTransactionRecovery": true}},
                 "Queue": {"orders": {}}}
                """.formatted(served, redirecting, named, recovering));
        broker.adminDoneHere("apply", "-f", change.toString());
        for (String user : new String[] {"anna", "bert"}) {
            Path password = Files.writeString(folder.resolve(user), user + "'s secret\n");
            broker.adminDoneHere("user", "create", user, "--new-password-file", password.toString());
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldSendJmsClientsToTheOtherServer() {
        try (JMSContext context = new AvocetConnectionFactory(url(redirecting)).createContext()) {
            Queue orders = context.createQueue("orders");
            context.createProducer().send(orders, "here");
            assertThat(context.createConsumer(orders).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("here");
        }
    }

    @Test
    void shouldSendMqttClientsToTheOtherServer() throws IOException {
        byte[] reference = ("127.0.0.1:" + served).getBytes(StandardCharsets.UTF_8);
        String property =
                "1c" + "%04x".formatted(reference.length) + HexFormat.of().formatHex(reference);

        assertThat(answer("100e 0004 4d515454 05 02 0000 00 0001 63"))
                .startsWith("20")
                .contains("009c", property);
        assertThat(answer("100d 0004 4d515454 04 02 0000 0001 63")).isEqualTo("20020003");
    }

    @Test
    void shouldServeAgainWhenItIsToldTo() throws Exception {
        int port = FreePort.next();
        Path change = Files.writeString(folder.resolve("moving.json"), """
                {"Endpoint": {"moving": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                   "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "DemoTopicPolicy",
                   "RedirectTo": "[::1]:1"}}}
                """.formatted(port));
        broker.adminDoneHere("apply", "-f", change.toString());
        assertThat(answer(port, "100d 0004 4d515454 04 02 0000 0001 64")).isEqualTo("20020003");

        broker.adminDoneHere("endpoint", "update", "moving", "--redirect-to", "");

        assertThat(answer(port, "100d 0004 4d515454 04 02 0000 0001 64")).isEqualTo("20020000");
    }

    @Test
    void shouldRefuseAServerThatIsNone() {
        Administered.Outcome outcome =
                broker.adminHere("endpoint", "update", "served", "--redirect-to", "other.example.com");

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("other.example.com' is not a host name or IP address with a port");
    }

    @Test
    void shouldLetUsersEndWhatTheyHavePreparedAndOthersWithTheRight() throws Exception {
        // given
        Xid first = new Branch(1);
        Xid second = new Branch(2);
        try (XAJMSContext anna = xa(named, "anna")) {
            Queue orders = anna.createQueue("orders");
            for (Xid each : new Xid[] {first, second}) {
                anna.getXAResource().start(each, XAResource.TMNOFLAGS);
                anna.createProducer().send(orders, "of branch " + each.getFormatId());
                anna.getXAResource().end(each, XAResource.TMSUCCESS);
                anna.getXAResource().prepare(each);
            }
        }

        // when, then
        try (XAJMSContext bert = xa(named, "bert")) {
            XAResource resource = bert.getXAResource();
            assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .isEmpty();
            assertThatThrownBy(() -> resource.commit(first, false))
                    .isInstanceOfSatisfying(
                            XAException.class,
                            refused -> assertThat(refused.errorCode).isEqualTo(XAException.XAER_RMERR))
                    .hasMessageContaining("was prepared by another user")
                    .hasMessageContaining("AllowTransactionRecovery");
            assertThatThrownBy(() -> resource.rollback(first)).hasMessageContaining("was prepared by another user");
        }
        try (XAJMSContext anna = xa(named, "anna")) {
            assertThat(anna.getXAResource().recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .extracting(Xid::getFormatId)
                    .containsExactlyInAnyOrder(1, 2);
            anna.getXAResource().commit(first, false);
        }
        try (XAJMSContext bert = xa(recovering, "bert")) {
            assertThat(bert.getXAResource().recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .extracting(Xid::getFormatId)
                    .containsExactly(2);
            bert.getXAResource().commit(second, false);
        }
        try (JMSContext context = new AvocetConnectionFactory(url(served)).createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("of branch 1");
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("of branch 2");
        }
    }

    private static XAJMSContext xa(int port, String user) {
        return new AvocetConnectionFactory(url(port) + ONCE).createXAContext(user, user + "'s secret");
    }

    private static String url(int port) {
        return "avocet://127.0.0.1:" + port;
    }

    private static String answer(String connect) throws IOException {
        return answer(redirecting, connect);
    }

    /** CONNACK, in hexadecimal digits. */
    private static String answer(int port, String connect) throws IOException {
        HexFormat hex = HexFormat.of();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout((int) PATIENCE_MS);
            client.getOutputStream().write(hex.parseHex(connect.replace(" ", "")));
            byte[] head = client.getInputStream().readNBytes(2);
            return hex.formatHex(head) + hex.formatHex(client.getInputStream().readNBytes(head[1]));
        }
    }

    private record Branch(int number) implements Xid {
        @Override
        public int getFormatId() {
            return number;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {(byte) number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}

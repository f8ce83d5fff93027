import dev.avocet.bench.check.ReceiverAccount;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * JMS consumers for what mqttbench publishes: one connection and one consumer for each topic that is named. It says {@code ready}, then
 * now and then {@code count TIME-OF-DAY-IN-S RECEIVED}. A line with the number that was sent has it wait until so many have come, or none
 * for ten seconds; then it says {@code end RECEIVED DOUBLED OUT-OF-ORDER CORRUPT}.
 */
public final class JmsReceivers {
    private static final int REPORT_MS = 100;
    private static final long PATIENCE_MS = 10_000;
    private static final int LARGEST_BYTES = 1 << 16;

    private final List<ReceiverAccount.Figures> figures = new ArrayList<>();

    private JmsReceivers() {}

    public static void main(String[] arguments) throws ReflectiveOperationException, JMSException, IOException, InterruptedException {
        ConnectionFactory factory =
                (ConnectionFactory) Class.forName(arguments[0]).getConstructor(String.class).newInstance(arguments[1]);
        JmsReceivers receivers = new JmsReceivers();
        for (String topic : List.of(arguments).subList(2, arguments.length)) {
            receivers.receive(factory.createConnection(), topic);
        }
        System.out.println("ready");
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> reports = timer.scheduleAtFixedRate(receivers::report, 0, REPORT_MS, TimeUnit.MILLISECONDS);
        long sent = readSent();
        reports.cancel(false);
        receivers.await(sent, timer);
        System.out.printf(
                "end %d %d %d %d%n",
                receivers.sum(ReceiverAccount.Figures::received),
                receivers.sum(ReceiverAccount.Figures::duplicates),
                receivers.sum(ReceiverAccount.Figures::outOfOrder),
                receivers.sum(ReceiverAccount.Figures::corrupt));
        System.exit(0);
    }

    private void receive(Connection connection, String topic) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createTopic(topic));
        ReceiverAccount.Figures own = new ReceiverAccount.Figures();
        figures.add(own);
        ReceiverAccount account = new ReceiverAccount(own, null);
        byte[] bytes = new byte[LARGEST_BYTES];
        consumer.setMessageListener(message -> account.receive(bytes, 0, read(message, bytes), false));
        connection.start();
    }

    private static int read(Message message, byte[] bytes) {
        try {
            return message instanceof BytesMessage body ? Math.max(0, body.readBytes(bytes)) : 0;
        } catch (JMSException unreadable) {
            return 0; // which counts as damaged
        }
    }

    private void report() {
        System.out.printf(Locale.ROOT, "count %.3f %d%n", System.currentTimeMillis() / 1e3, sum(ReceiverAccount.Figures::received));
    }

    private static long readSent() throws IOException {
        return Long.parseLong(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine());
    }

    private void await(long sent, ScheduledExecutorService timer) throws InterruptedException {
        CountDownLatch isOver = new CountDownLatch(1);
        Patience patience = new Patience();
        timer.scheduleAtFixedRate(
                () -> {
                    long received = sum(ReceiverAccount.Figures::received);
                    if (received >= sent || patience.isOver(received)) {
                        isOver.countDown();
                    }
                },
                0,
                REPORT_MS,
                TimeUnit.MILLISECONDS);
        isOver.await();
    }

    /** For how long nothing has come. Owned by the timer. */
    private static final class Patience {
        private long last = -1;
        private long waitedMs;

        boolean isOver(long received) {
            waitedMs = received == last ? waitedMs + REPORT_MS : 0;
            last = received;
            return waitedMs >= PATIENCE_MS;
        }
    }

    private long sum(ToLongFunction<ReceiverAccount.Figures> figure) {
        return figures.stream().mapToLong(figure).sum();
    }
}

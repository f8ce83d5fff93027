import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How soon a broker that has just been started is as quick as it gets: twenty producers send persistent messages of 256
 * bytes, each waiting for the answer to its last one, to twenty queues with a consumer each. A first broker warms the
 * client, so that what is slow at the second one is the broker. Prints the rate of each second at the second one, and
 * which share of the steady rate, that of the last quarter of the run, each of the first five seconds had. The target
 * is 80 % in the fifth.
 *
 * <p>{@code java -cp 'DISTRIBUTION/client/*:DISTRIBUTION/client/logging/*' bench/warming/FreshBroker.java DISTRIBUTION
 * [SECONDS [without-archive]]}. The brokers run on the JAVA_HOME of this program, with an archive of classes, which is
 * prepared before unless there is one.
 */
public final class FreshBroker {
    private static final int PAIRS = 20;
    private static final int BODY_BYTES = 256;
    private static final int FIRST_SECONDS = 5;
    private static final double TARGET = 0.8;
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+) for mqtt.*");

    private final Path distribution;
    private final int seconds;
    private final boolean archived;

    private FreshBroker(Path distribution, int seconds, boolean archived) {
        this.distribution = distribution;
        this.seconds = seconds;
        this.archived = archived;
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        boolean archived = arguments.length < 3 || !arguments[2].equals("without-archive");
        new FreshBroker(Path.of(arguments[0]).toAbsolutePath(), seconds, archived).run();
    }

    private void run() throws Exception {
        if (archived) {
            start("prepare").waitFor();
        }
        long[] warming = rates();
        System.out.printf("first broker, client not warm: %s%n", shown(warming));
        long[] fresh = rates();
        System.out.printf("second broker, client warm:    %s%n", shown(fresh));
        double steady = steady(fresh);
        StringBuilder shares = new StringBuilder();
        for (int second = 0; second < FIRST_SECONDS; second++) {
            shares.append(String.format(Locale.ROOT, " %.0f %%", 100 * fresh[second] / steady));
        }
        double share = fresh[FIRST_SECONDS - 1] / steady;
        System.out.printf("steady %.0f/s; share of it in the first seconds:%s; target %.0f %% in the fifth: %s%n",
                steady, shares, 100 * TARGET, share >= TARGET ? "met" : "missed");
    }

    private static String shown(long[] rates) {
        StringBuilder shown = new StringBuilder();
        for (long rate : rates) {
            shown.append(' ').append(rate);
        }
        return shown + " /s";
    }

    private double steady(long[] rates) {
        int from = rates.length - Math.max(1, rates.length / 4);
        long sum = 0;
        for (int second = from; second < rates.length; second++) {
            sum += rates[second];
        }
        return (double) sum / (rates.length - from);
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(distribution.resolve("bin/broker").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (!archived) {
            builder.environment().put("BROKER_CACHE", "off");
        }
        return builder.start();
    }

    /** Messages received in each second at a broker that is started for them. */
    private long[] rates() throws Exception {
        Path data = Files.createTempDirectory("fresh-broker");
        Process broker = start("--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "off");
        try {
            return load(port(broker));
        } finally {
            broker.destroy();
            broker.waitFor();
            try (Stream<Path> files = Files.walk(data)) {
                files.sorted((one, other) -> other.compareTo(one)).forEach(file -> file.toFile().delete());
            }
        }
    }

    private static String port(Process broker) throws IOException {
        BufferedReader output = new BufferedReader(
                new InputStreamReader(broker.getInputStream(), StandardCharsets.UTF_8));
        String port = "";
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher listening = LISTENING.matcher(line);
            port = listening.matches() ? listening.group(1) : port;
            if (line.startsWith("ready")) {
                return port;
            }
        }
        throw new IOException("the broker ended before it was ready");
    }

    private long[] load(String port) throws Exception {
        AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
        LongAdder received = new LongAdder();
        List<Connection> connections = new ArrayList<>();
        List<Thread> senders = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            Connection consuming = factory.createConnection();
            Session session = consuming.createSession();
            Queue queue = session.createQueue("warming/" + pair);
            session.createConsumer(queue).setMessageListener(message -> received.increment());
            consuming.start();
            Connection producing = factory.createConnection();
            connections.add(consuming);
            connections.add(producing);
            senders.add(new Thread(() -> send(producing, queue)));
        }
        senders.forEach(Thread::start);
        long[] rates = new long[seconds];
        long start = System.nanoTime();
        long before = 0;
        for (int second = 0; second < seconds; second++) {
            TimeUnit.NANOSECONDS.sleep(start + TimeUnit.SECONDS.toNanos(second + 1) - System.nanoTime());
            long now = received.sum();
            rates[second] = now - before;
            before = now;
        }
        senders.forEach(Thread::interrupt);
        for (Thread sender : senders) {
            sender.join();
        }
        for (Connection connection : connections) {
            connection.close();
        }
        return rates;
    }

    private static void send(Connection connection, Queue queue) {
        try {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(queue);
            byte[] body = new byte[BODY_BYTES];
            while (!Thread.currentThread().isInterrupted()) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                producer.send(message);
            }
        } catch (JMSException e) {
            if (!Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(e);
            }
        }
    }
}

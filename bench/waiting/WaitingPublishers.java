import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What publishers that wait for room cost the broker. A thousand MQTT publishers with one message of QoS 1 under way
 * each, one consumer that acknowledges RATE messages a second, and a subscription that holds 1,000 messages and slows
 * its publishers down. With {@code waiting} each publisher publishes as soon as it is answered, so that the queue is
 * full and the publishers wait in the broker. With {@code room} the same publishers take turns: one publishes for each
 * message that the consumer has acknowledged, and no publisher waits. RATE has to be below what the broker and this
 * program can do, or the queue does not fill: a run of {@code waiting} in which fewer than 900 publishers wait on
 * average says so and fails. It prints the broker's processor time for a message.
 *
 * <p>{@code java bench/waiting/WaitingPublishers.java HOST PORT BROKER_PID waiting|room SECONDS RATE}, at a broker
 * whose startup file has {@code limits.fullBehavior} {@code Backpressure} and {@code limits.maxMessages} 1000 for
 * waiting, 3000 for room.
 */
public final class WaitingPublishers {
    private static final int PUBLISHERS = 1_000;
    private static final int BACKLOG = 1_000;
    private static final int LEAST_WAITING = 900;
    private static final int WARM_UP_SECONDS = 5;
    private static final byte[] TOPIC = "orders/new".getBytes(StandardCharsets.UTF_8);
    private static final double TICKS_PER_SECOND = 100;

    private final Selector selector = Selector.open();
    private final InetSocketAddress broker;
    private final boolean waits;
    private final Deque<Client> ready = new ArrayDeque<>();
    private final int rate;
    private final ArrayDeque<Integer> unacknowledged = new ArrayDeque<>();
    private long consumed;
    private int depth;
    private Client consumer;
    private long unansweredSum;
    private long looks;

    private WaitingPublishers(InetSocketAddress broker, boolean waits, int rate) throws IOException {
        this.rate = rate;
        this.broker = broker;
        this.waits = waits;
    }

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress broker = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        boolean waits = arguments[3].equals("waiting");
        WaitingPublishers run = new WaitingPublishers(broker, waits, Integer.parseInt(arguments[5]));
        run.run(Path.of("/proc", arguments[2], "stat"), Integer.parseInt(arguments[4]));
    }

    private void run(Path stat, int seconds) throws IOException {
        consumer = new Client(0);
        consumer.subscribe();
        List<Client> publishers = new ArrayList<>();
        for (int i = 1; i <= PUBLISHERS; i++) {
            publishers.add(new Client(i));
        }
        ready.addAll(publishers);
        serveFor(WARM_UP_SECONDS);
        long before = consumed;
        unansweredSum = 0;
        looks = 0;
        double cpuBefore = cpuSeconds(stat);
        long beginNs = System.nanoTime();
        serveFor(seconds);
        double took = (System.nanoTime() - beginNs) / 1e9;
        long got = consumed - before;
        long unanswered = unansweredSum / Math.max(1, looks);
        System.out.printf(
                "%s: %.0f messages/s, %.2f us of the broker's processor time for each, %d publishers unanswered%n",
                waits ? "waiting" : "room", got / took, (cpuSeconds(stat) - cpuBefore) * 1e6 / got, unanswered);
        if (waits && unanswered < LEAST_WAITING) {
            System.out.println("not valid: the queue was not full all the time; ask for a lower rate");
            System.exit(1);
        }
    }

    private void serveFor(int seconds) throws IOException {
        long beginNs = System.nanoTime();
        long endNs = beginNs + TimeUnit.SECONDS.toNanos(seconds);
        long base = consumed;
        while (System.nanoTime() - endNs < 0) {
            publish();
            long due = base + (long) (rate * ((System.nanoTime() - beginNs) / 1e9));
            consumer.acknowledge(due);
            unansweredSum += PUBLISHERS - ready.size();
            looks++;
            selector.select(1);
            for (SelectionKey key : selector.selectedKeys()) {
                ((Client) key.attachment()).read();
            }
            selector.selectedKeys().clear();
        }
    }

    /** All that are answered, or as many as there is room for. */
    private void publish() throws IOException {
        while (!ready.isEmpty() && (waits || depth < BACKLOG)) {
            ready.remove().publish();
            depth++;
        }
    }

    private static double cpuSeconds(Path stat) throws IOException {
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    private final class Client {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);

        Client(int number) throws IOException {
            channel = SocketChannel.open(broker);
            byte[] id = ("w" + number).getBytes(StandardCharsets.UTF_8);
            ByteBuffer connect = ByteBuffer.allocate(64);
            connect.put((byte) 0x10).put((byte) (12 + id.length));
            connect.putShort((short) 4).put("MQTT".getBytes(StandardCharsets.UTF_8)).put((byte) 4).put((byte) 2);
            connect.putShort((short) 0).putShort((short) id.length).put(id);
            write(connect);
            while (in.position() < 4) {
                expectMore(channel.read(in));
            }
            if (in.get(0) != 0x20 || in.get(3) != 0) {
                throw new IOException("the broker refuses client w" + number + " with code " + in.get(3));
            }
            in.clear();
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void subscribe() throws IOException {
            ByteBuffer packet = ByteBuffer.allocate(64);
            packet.put((byte) 0x82).put((byte) (5 + TOPIC.length)).putShort((short) 1);
            packet.putShort((short) TOPIC.length).put(TOPIC).put((byte) 1);
            write(packet);
        }

        void publish() throws IOException {
            ByteBuffer packet = ByteBuffer.allocate(64);
            packet.put((byte) 0x32).put((byte) (4 + TOPIC.length + 16)).putShort((short) TOPIC.length).put(TOPIC);
            packet.putShort((short) 1).put(new byte[16]);
            write(packet);
        }

        void read() throws IOException {
            expectMore(channel.read(in));
            in.flip();
            while (in.remaining() >= 2 && in.remaining() >= 2 + in.get(in.position() + 1)) {
                int at = in.position();
                int type = in.get(at) & 0xF0;
                if (type == 0x40) {
                    ready.add(this);
                } else if (type == 0x30) {
                    unacknowledged.add((int) in.getShort(at + 4 + TOPIC.length));
                }
                in.position(at + 2 + in.get(at + 1));
            }
            in.compact();
        }

        /** As many as are due. */
        void acknowledge(long due) throws IOException {
            ByteBuffer answers = ByteBuffer.allocate(16 * 1024);
            while (consumed < due && !unacknowledged.isEmpty() && answers.remaining() >= 4) {
                consumed++;
                depth--;
                answers.put((byte) 0x40).put((byte) 2).putShort(unacknowledged.remove().shortValue());
            }
            write(answers);
        }

        private void write(ByteBuffer packet) throws IOException {
            packet.flip();
            while (packet.hasRemaining()) {
                channel.write(packet);
            }
        }

        private void expectMore(int read) {
            if (read < 0) {
                throw new UncheckedIOException(new IOException("the broker has closed a connection"));
            }
        }
    }
}

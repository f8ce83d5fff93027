package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of a broker that has much in it: 10,000 queues, 100,000 subscriptions, and connections, 1,000 of them, or
 * as many as {@code -Davocet.console.connections} says. What the browser transfers is counted by the browser.
 */
@InTurn
@Timeout(240)
class ConsoleScaleTest {
    /** Of an ordinary build a tenth: a page that shows all of them is still longer than it may be. */
    private static final int SHARE = RandomSuite.share(10);

    private static final int QUEUES = 1_000 * SHARE;
    private static final int SUBSCRIPTIONS = 10_000 * SHARE;
    private static final int CONNECTIONS =
            Integer.getInteger("avocet.console.connections", RandomSuite.isWhole() ? 1_000 : 250);
    private static final int SUBSCRIBED = SUBSCRIPTIONS / CONNECTIONS * CONNECTIONS;
    private static final int MOST_BYTES_OF_FIRST_VIEW = 200_000;
    private static final int MOST_BYTES_OF_A_PAGE = 30_000;
    private static final int MOST_FILTERS_OF_A_PACKET = 50;

    private static final List<Socket> CLIENTS = new ArrayList<>();

    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of("BROKER_HEAP", "512m"));
        String queues = IntStream.range(0, QUEUES)
                .mapToObj(i -> "\"q" + i + "\": {}")
                .collect(Collectors.joining(",", "{\"Queue\": {", "}}"));
        broker.adminDoneHere(
                "apply",
                "--file",
                Files.writeString(data.resolve("queues.json"), queues).toString());
        for (int i = 0; i < CONNECTIONS; i++) {
            CLIENTS.add(connect("client-" + i));
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            subscribe(CLIENTS.get(i), "plant/" + i + "/", SUBSCRIPTIONS / CONNECTIONS);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        for (Socket client : CLIENTS) {
            client.close();
        }
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldTransferLittleForTheFirstViewAndForEachPage() {
        // given
        Page page = browser.prepare(broker.url(), 1280, 860);
        Map<String, Long> bytes = count(page);

        // when
        long takenMs = processorMs();
        long begunNs = System.nanoTime();
        page.navigate(broker.url());
        assertThat(page.locator(".tile-value").first()).containsText("Running");
        long usableMs = (System.nanoTime() - begunNs) / 1_000_000;
        assertThat(page.locator(".plot canvas")).hasCount(4);
        page.waitForTimeout(500); // for what the browser has still to count

        // then
        report("first view", sum(bytes), usableMs);
        System.out.printf(Locale.ROOT, "the broker took %,d ms of processor time for it%n", processorMs() - takenMs);
        assertThat(sum(bytes)).isBetween(50_000L, (long) MOST_BYTES_OF_FIRST_VIEW);
        assertThat(page.locator(".tile").filter(new Locator.FilterOptions().setHasText("Connections")))
                .containsText(String.format(Locale.ROOT, "%,d subscriptions", SUBSCRIBED));

        // and: with the files of the other pages, which come after it
        page.waitForFunction(
                "() => performance.getEntriesByType('resource').some(each => each.name.endsWith('/access.js'))");
        page.waitForTimeout(500);
        System.out.printf(Locale.ROOT, "with all files of the console %,d bytes%n", sum(bytes));
        assertThat(sum(bytes)).isLessThan(MOST_BYTES_OF_FIRST_VIEW);

        for (String[] kind : new String[][] {
            {"connections", String.format(Locale.ROOT, "1–25 of %,d", CONNECTIONS)},
            {"subscriptions", String.format(Locale.ROOT, "1–25 of %,d", SUBSCRIBED)},
            {"queues", String.format(Locale.ROOT, "1–25 of %,d", QUEUES)}
        }) {
            // when
            bytes.clear();
            begunNs = System.nanoTime();
            page.evaluate("(place) => { location.hash = place; }", "#/" + kind[0]);
            assertThat(page.getByText(kind[1])).isVisible();
            usableMs = (System.nanoTime() - begunNs) / 1_000_000;
            page.waitForTimeout(500);

            // then
            report(kind[0], sum(bytes), usableMs);
            assertThat(page.locator("tbody tr")).hasCount(25);
            assertThat(sum(bytes)).isBetween(100L, (long) MOST_BYTES_OF_A_PAGE);
        }
    }

    /** Times are for people to read: a machine that builds other things too is no measure. */
    private static void report(String what, long bytes, long ms) {
        System.out.printf(
                Locale.ROOT,
                "console with %,d connections, %,d subscriptions, %,d queues: %s %,d bytes, shown after %,d ms%n",
                CONNECTIONS,
                SUBSCRIBED,
                QUEUES,
                what,
                bytes,
                ms);
    }

    /** Of all the broker's threads, which does not depend on what else the machine does. */
    private static long processorMs() {
        return ProcessHandle.of(broker.process().pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow()
                .toMillis();
    }

    /** Of all answers with their headers, as they came over the network. */
    private static Map<String, Long> count(Page page) {
        Map<String, Long> bytes = new HashMap<>();
        CDPSession session = page.context().newCDPSession(page);
        session.send("Network.enable");
        // of the stream of events, which does not end, what has come
        session.on(
                "Network.dataReceived",
                event -> bytes.merge(
                        event.get("requestId").getAsString(),
                        event.get("encodedDataLength").getAsLong(),
                        Long::sum));
        session.on(
                "Network.loadingFinished",
                event -> bytes.put(
                        event.get("requestId").getAsString(),
                        event.get("encodedDataLength").getAsLong()));
        return bytes;
    }

    private static long sum(Map<String, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Socket connect(String clientId) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), broker.process().port());
        byte[] id = clientId.getBytes(UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(new byte[] {0x10, (byte) (12 + id.length), 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0});
        out.writeShort(id.length);
        out.write(id);
        socket.getOutputStream().write(bytes.toByteArray());
        byte[] answer = new byte[4]; // CONNACK
        new DataInputStream(socket.getInputStream()).readFully(answer);
        assertThat(answer).containsExactly(0x20, 2, 0, 0);
        return socket;
    }

    private static void subscribe(Socket client, String prefix, int count) throws IOException {
        for (int done = 0; done < count; done += MOST_FILTERS_OF_A_PACKET) {
            int filters = Math.min(MOST_FILTERS_OF_A_PACKET, count - done);
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(payload);
            out.writeShort(1);
            for (int i = done; i < done + filters; i++) {
                out.writeUTF(prefix + i);
                out.writeByte(0);
            }
            byte[] body = payload.toByteArray();
            ByteArrayOutputStream packet = new ByteArrayOutputStream();
            packet.write(0x82);
            for (int rest = body.length; ; ) {
                packet.write(rest % 128 | (rest >= 128 ? 0x80 : 0));
                rest /= 128;
                if (rest == 0) {
                    break;
                }
            }
            packet.write(body);
            client.getOutputStream().write(packet.toByteArray());
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertThat(in.readByte()).isEqualTo((byte) 0x90);
            in.readFully(new byte[in.readUnsignedByte()]);
        }
    }
}

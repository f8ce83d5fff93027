package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.process.ExitCode;
import dev.avocet.testkit.turn.InTurn;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process does when its store fails. */
@InTurn
class StoreFailureTest {
    private static final Pattern ADMIN = Pattern.compile("listening on (\\S+) for http.*");

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void shouldStopInOrderWithACodeOfItsOwn() throws IOException, InterruptedException {
        // given
        Process broker = start("-Dstuck=false");
        URI health = awaitReady(broker.inputReader());
        assertThat(get(health).statusCode()).isEqualTo(200);

        // when
        broker.getOutputStream().close();

        // then
        assertThat(broker.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(broker.exitValue()).isEqualTo(ExitCode.STORE_FAILED);
        assertThat(broker.inputReader().lines()).last().isEqualTo("stopped");
    }

    @Test
    void shouldSayThatItIsNotHealthyAndEndInTimeAlsoWhenTheDiskHangs() throws IOException, InterruptedException {
        // given
        Process broker = start("-Dstuck=true");
        URI health = awaitReady(broker.inputReader());
        assertThat(get(health).statusCode()).isEqualTo(200);

        // when
        broker.getOutputStream().close();

        // then
        Awaitility.await().atMost(30, TimeUnit.SECONDS).untilAsserted(() -> {
            HttpResponse<String> answer = get(health);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("\"status\":\"storeFailed\"");
        });
        assertThat(broker.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(broker.exitValue()).isEqualTo(ExitCode.STORE_FAILED);
    }

    private Process start(String flag) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        flag,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerWithFailingStore.class.getName(),
                        "--data",
                        directory.resolve("data").toString(),
                        "--admin",
                        "127.0.0.1:0",
                        "--endpoint",
                        "127.0.0.1:1")
                .redirectError(Files.createFile(directory.resolve("log")).toFile())
                .start();
    }

    private static URI awaitReady(BufferedReader reader) throws IOException {
        String address = "";
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            Matcher matcher = ADMIN.matcher(line);
            if (matcher.matches()) {
                address = matcher.group(1);
            } else if (line.startsWith("ready")) {
                return URI.create("http://" + address + "/health");
            }
        }
        throw new AssertionError("did not start");
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}

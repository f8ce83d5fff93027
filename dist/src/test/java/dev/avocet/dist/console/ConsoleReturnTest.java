package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page of the console that is open while the packaged broker goes away and comes back. */
@InTurn
@Timeout(240)
class ConsoleReturnTest {
    private static final double LONGEST_MS = 30_000;

    @TempDir
    private Path data;

    @Test
    void shouldSayThatTheBrokerIsAwayAndGoOnWhenItIsBack() throws IOException, InterruptedException {
        String address = "127.0.0.1:" + FreePort.next();
        try (ConsoleBrowser browser = ConsoleBrowser.start()) {
            // given
            Page page;
            try (Launched broker = start(address)) {
                setPassword(address);
                page = browser.open("http://" + address, 1280, 800);
                ConsoleBrowser.logIn(page, "admin", "pencil");
                assertThat(page.getByText("Running").first()).isVisible();

                // when
                broker.terminate();
                assertThat(broker.exitCode()).isZero();
            }

            // then
            assertThat(page.getByText("The broker does not answer.")).isVisible(patiently());

            // when
            try (Launched again = start(address)) {
                // then: it knows no sessions any more
                assertThat(page.getByText("Your session has ended.")).isVisible(patiently());
                ConsoleBrowser.logIn(page, "admin", "pencil");
                assertThat(page.getByText("Running").first()).isVisible();
                assertThat(again.adminPort()).isPositive();
            }
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private Launched start(String address) throws IOException {
        Launched broker = Distribution.launch(
                Distribution.SHORT_LIVED,
                "--data",
                data.toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                address,
                "--store",
                "os");
        broker.awaitLine("ready");
        return broker;
    }

    private static void setPassword(String address) throws IOException, InterruptedException {
        HttpRequest change = HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/configuration"))
                .POST(BodyPublishers.ofString("{\"AdminUserPassword\": \"pencil\"}"))
                .build();
        int status = HttpClient.newHttpClient()
                .send(change, BodyHandlers.discarding())
                .statusCode();
        assertThat(status).isEqualTo(200);
    }

    private static IsVisibleOptions patiently() {
        return new IsVisibleOptions().setTimeout(LONGEST_MS);
    }
}

package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the page about addresses do what the page says. */
class AddressesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "addresses.md");
    private static final int PATIENCE_SECONDS = 60;

    @ParameterizedTest
    @ValueSource(strings = {"python", "js", "go"})
    void shouldRunTheExamplesAsThePageShowsThem(String language) throws IOException, InterruptedException {
        String page = Files.readString(PAGE);
        assertThat(page)
                .contains("```" + language + "\n" + Files.readString(ForeignClients.pageExampleSource(language))
                        + "```\n");
        try (TestBroker broker = TestBroker.with(
                        AmqpClientScenarios.frontEnd(new AnonymousAdmission(new AnonymousAuthenticator())))
                .start()) {
            ProcessBuilder example = new ProcessBuilder(new ArrayList<>(ForeignClients.pageExample(language)))
                    .redirectError(Redirect.INHERIT);
            example.command().add("amqp://localhost:" + broker.port());
            example.environment().put("NODE_PATH", ForeignClients.rheaPackages());

            Process process = example.start();

            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(page).contains("```\n" + printed + "```\n");
            assertThat(printed).contains("queue: ", "topic: ", "refused: ");
        }
    }
}

package dev.avocet.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void shouldBeWhatTheRecordsSay() throws IOException {
        // given
        String rendered = ConfigurationPage.render();
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, rendered);
        }

        // then
        assertThat(Files.readString(PAGE)).isEqualTo(rendered);
    }
}

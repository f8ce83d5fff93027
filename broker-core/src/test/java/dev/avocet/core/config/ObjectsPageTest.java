package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ObjectsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "objects.md");

    @Test
    void shouldBeWhatTheDescriptionsSay() throws IOException {
        // given
        String rendered = ObjectsPage.render();
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.writeString(PAGE, rendered);
        }

        // then
        assertThat(Files.readString(PAGE)).isEqualTo(rendered);
    }
}

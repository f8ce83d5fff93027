package dev.avocet.server.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AdminSchemaTest {
    private static final Path RESOURCE =
            Path.of("..", "admin-cli", "src", "main", "resources", "dev", "avocet", "admin", "schema", "objects.json");

    @Test
    void shouldTellBrokerAdminWhatTheDescriptionsSay() throws IOException {
        // given
        String rendered = AdminSchema.render();
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.createDirectories(RESOURCE.getParent());
            Files.writeString(RESOURCE, rendered);
        }

        // then
        assertThat(Files.readString(RESOURCE)).isEqualTo(rendered);
    }
}

package dev.avocet.bench.mqtt.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of one's own, in one file or a folder of them. */
final class MessageFilesTest {
    @TempDir
    Path folder;

    @Test
    void shouldReadAFolderInTheOrderOfNames() throws IOException {
        write("2.yaml", "payloadSizeBytes: 100\nqos: 1\n");
        write(
                "1.json",
                "[{\"payload\": \"hé\", \"topic\": \"t\", \"retain\": true}, {\"payloadFile\": \"image.bin\"}]");
        write("image.bin", "image");
        write("notes.txt", "no message");

        List<OwnMessage> messages = MessageFiles.read(folder);

        assertThat(messages).hasSize(3);
        assertThat(messages.get(0).payload()).isEqualTo("hé".getBytes(UTF_8));
        assertThat(messages.get(0).topic()).isEqualTo("t");
        assertThat(messages.get(0).retain()).isTrue();
        assertThat(messages.get(0).qos()).isNull();
        assertThat(messages.get(1).payload()).isEqualTo("image".getBytes(UTF_8));
        assertThat(messages.get(2).isStamped()).isTrue();
        assertThat(messages.get(2).payload()).hasSize(100);
        assertThat(messages.get(2).qos()).isEqualTo(1);
    }

    @Test
    void shouldEncodeProperties() throws IOException {
        Path file = write("m.json", """
                {"payload": "", "payloadFormat": 1, "expiryIntervalSecs": 258, "contentType": "a", "responseTopicStr": "b",
                 "correlationData": "c", "userProperties": [{"name": "k", "value": "v"}, {"name": "k", "value": "w"}]}""");

        OwnMessage message = MessageFiles.read(file).get(0);

        assertThat(message.properties())
                .containsExactly(
                        1, 1, 2, 0, 0, 1, 2, 3, 0, 1, 'a', 8, 0, 1, 'b', 9, 0, 1, 'c', 0x26, 0, 1, 'k', 0, 1, 'v', 0x26,
                        0, 1, 'k', 0, 1, 'w');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | a message has one of payload, payloadSizeBytes and payloadFile",
                "{\"payload\": \"a\", \"payloadSizeBytes\": 30} | a message has one of payload",
                "{\"payloadSizeBytes\": 23} | payloadSizeBytes is from 24",
                "{\"payload\": \"a\", \"topic\": \"+\"} | topic is a topic name",
                "{\"payload\": \"a\", \"qos\": 9} | qos is from 0 to 2",
                "{\"payloadFile\": \"nowhere\"} | nowhere cannot be read",
                "[] | has no messages"
            })
    void shouldSayWhatIsWrong(String text, String message) throws IOException {
        Path file = write("m.json", text);

        assertThatThrownBy(() -> MessageFiles.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--messages: ")
                .hasMessageContaining(message);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}

package dev.avocet.core.tls.psk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.tls.key.TlsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PskTableTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTakeIdentitiesAwayThatHaveNoKey() throws Exception {
        PskTable table = read("meter-7,\nmeter-8,00112233\nmeter-8,\nmeter-9,abcdef01\n");

        assertThat(table.size()).isEqualTo(1);
        assertThat(table.key("meter-8")).isNull();
        assertThat(table.key("meter-9")).isEqualTo(HexFormat.of().parseHex("abcdef01"));
    }

    @Test
    void shouldRefuseAnIdentityWithTwoKeys() {
        assertThatThrownBy(() -> read("meter-8,00112233\nmeter-8,00112244\n"))
                .hasMessageContaining("line 2: the identity stands in an earlier line as well");
    }

    private PskTable read(String text) throws IOException, TlsException {
        return PskTable.read(Files.writeString(directory.resolve("keys.csv"), text));
    }
}

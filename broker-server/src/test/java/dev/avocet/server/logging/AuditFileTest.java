package dev.avocet.server.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
    @TempDir
    private Path data;

    private AuditFile audit;

    @AfterEach
    void stop() {
        audit.close();
    }

    @Test
    void shouldWriteALineForEachChangeAndGoOnAfterARestart() throws Exception {
        // given
        audit = audit(Map.of());
        assertThat(data.resolve("audit")).doesNotExist();

        // when
        audit.write(Map.of("What", "created Queue 'ö\n'"));
        audit.close();
        audit = audit(Map.of());
        audit.write(Map.of("What", "deleted"));

        // then
        assertThat(Files.readAllLines(data.resolve("audit/audit.log")))
                .containsExactly("{\"What\":\"created Queue 'ö\\n'\"}", "{\"What\":\"deleted\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("audit"))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldBeginAnotherFileAndKeepSomeOfThoseBefore() throws Exception {
        // given
        audit = audit(Map.of("AuditLogMax", "100KB", "AuditLogBackupCount", 2L));
        String line = "x".repeat(20_000);

        // when: Logback looks at the size once in a millisecond
        int[] written = {0};
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> {
            audit.write(Map.of("What", line));
            return ++written[0] == 40;
        });

        // then
        assertThat(Files.size(data.resolve("audit/audit.log"))).isLessThan(150_000);
        assertThat(data.resolve("audit/audit-1.log.gz")).exists();
        assertThat(data.resolve("audit/audit-2.log.gz")).exists();
        assertThat(data.resolve("audit/audit-3.log.gz")).doesNotExist();
    }

    @Test
    void shouldSendEachLineToSyslog() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(40_000);
            audit = audit(Map.of(
                    "AuditLog", "Syslog", "AuditLogHost", "127.0.0.1", "AuditLogPort", (long) server.getLocalPort()));

            // when
            audit.write(Map.of("What", "created"));

            // then
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            server.receive(packet);
            assertThat(new String(packet.getData(), 0, packet.getLength(), UTF_8))
                    .startsWith("<110>")
                    .endsWith("avocet: {\"What\":\"created\"}");
            assertThat(data.resolve("audit")).doesNotExist();
        }
    }

    @Test
    void shouldWriteNothingWhereNothingIsWanted() throws Exception {
        audit = audit(Map.of("AuditLog", "None"));
        audit.write(Map.of("What", "created"));
        assertThat(data.resolve("audit")).doesNotExist();
    }

    @Test
    void shouldNotFailWhereTheDiskRefuses() throws Exception {
        Files.writeString(data.resolve("audit"), "in the way");
        audit = audit(Map.of());
        audit.write(Map.of("What", "created"));
        assertThat(data.resolve("audit")).hasContent("in the way");
    }

    private AuditFile audit(Map<String, Object> values) throws Exception {
        AuditFile made = new AuditFile(data.resolve("audit"));
        Configuration configuration =
                Configuration.EMPTY.changed(ChangeReader.read(values), LiveUse.NONE, UnaryOperator.identity());
        made.configurationChanged(Configuration.EMPTY, configuration);
        return made;
    }
}

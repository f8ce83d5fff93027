package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.admin.connection.SavedLogins;
import dev.avocet.admin.outcome.AdminException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that outlive a run of the program. */
class SavedLoginsTest {
    private static final URI ONE = URI.create("https://one:9089");
    private static final URI OTHER = URI.create("https://other:9089");

    @TempDir
    private Path folder;

    @Test
    void shouldKeepATokenForEachBrokerForItsOwnerOnly() throws Exception {
        // given
        Path file = folder.resolve("new/logins.json");
        SavedLogins logins = new SavedLogins(file);
        assertThat(logins.tokenFor(ONE)).isNull();

        // when
        logins.save(ONE, "a");
        logins.save(OTHER, "b");

        // then
        assertThat(new SavedLogins(file).tokenFor(ONE)).isEqualTo("a");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        // when
        boolean was = logins.forget(ONE);

        // then
        assertThat(was).isTrue();
        assertThat(logins.forget(ONE)).isFalse();
        assertThat(logins.tokenFor(ONE)).isNull();
        assertThat(logins.tokenFor(OTHER)).isEqualTo("b");
    }

    @Test
    void shouldSayThatTheFileIsDamaged() throws Exception {
        // given
        Path file = Files.writeString(folder.resolve("logins.json"), "{\"a\": ");

        // then
        assertThatThrownBy(() -> new SavedLogins(file).tokenFor(ONE))
                .isInstanceOf(AdminException.class)
                .hasMessageContaining("delete it and log in again");
    }
}

package dev.avocet.core.security.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {
    private static final Argon2Cost CHEAP = new Argon2Cost(64, 1, 1);

    private final PasswordHasher hasher = new PasswordHasher(CHEAP, 64, new SecureRandom());

    /** Made by the reference implementation: {@code echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32}. */
    @Test
    void shouldAgreeWithTheReferenceImplementation() {
        PasswordHash hash = PasswordHash.parse(
                "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");

        assertThat(hasher.matches(hash, "password".toCharArray())).isTrue();
        assertThat(hasher.matches(hash, "Password".toCharArray())).isFalse();
    }

    @Test
    void shouldReadWhatItWrites() {
        PasswordHash hash = hasher.hash("pencil".toCharArray());
        PasswordHash read = PasswordHash.parse(hash.encoded());

        assertThat(read).isEqualTo(hash);
        assertThat(hasher.matches(read, "pencil".toCharArray())).isTrue();
        assertThat(hasher.matches(read, "pen".toCharArray())).isFalse();
        assertThat(hasher.matches(read, new char[0])).isFalse();
        assertThat(hash.encoded()).startsWith("$argon2id$v=19$m=64,t=1,p=1$");
        assertThat(hash.toString()).doesNotContain(hash.encoded().substring(30));
    }

    @Test
    void shouldTakeTwoSpellingsForOnePassword() {
        PasswordHash hash = hasher.hash("caf\u00e9".toCharArray());

        assertThat(hasher.matches(hash, "cafe\u0301".toCharArray())).isTrue();
    }

    @Test
    void shouldGiveEachHashASaltOfItsOwn() {
        assertThat(hasher.hash("same".toCharArray())).isNotEqualTo(hasher.hash("same".toCharArray()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pencil",
                "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXP",
                "$argon2id$v=19$m=64,t=1,p=1$YQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
            })
    void shouldRefuseWhatIsNoHash(String text) {
        assertThatThrownBy(() -> PasswordHash.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAHashThatWouldTakeTheHeap() {
        assertThatThrownBy(() -> PasswordHash.parse(
                        "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"))
                .hasMessageContaining("memory (m) 4194304 KiB is outside");
        assertThatThrownBy(() -> PasswordHash.parse(
                        "$argon2id$v=19$m=64,t=1000,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"))
                .hasMessageContaining("passes (t) 1000 is outside");
    }

    @Test
    void shouldNotTakePasswordsThatNobodyCanType() {
        assertThatThrownBy(() -> hasher.hash(new char[0])).hasMessageContaining("not empty");
        assertThatThrownBy(() -> hasher.hash("\u0007".toCharArray())).hasMessageContaining("U+0007");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " anna", "anna ", "an\nna", "anna\u00ad", "\u212b"})
    void shouldRefuseNamesThatCannotBeUsed(String name) {
        assertThatThrownBy(() -> UserNames.check("user name", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("user name");
    }

    @Test
    void shouldTakeNamesAsPeopleAndDevicesHaveThem() {
        UserNames.check("user name", "anna.schmidt@example.com");
        UserNames.check("user name", "plant 1/device-7");
        UserNames.check("user name", "Jürgen");
        assertThatThrownBy(() -> UserNames.check("user name", "x".repeat(257))).hasMessageContaining("at most 256");
    }
}

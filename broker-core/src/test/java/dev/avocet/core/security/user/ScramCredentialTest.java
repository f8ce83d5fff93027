package dev.avocet.core.security.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramCredentialTest {
    private static final byte[] SALT = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");

    private final ScramCredential pencil = ScramCredential.derive("pencil".toCharArray(), SALT, 4096);

    @Test
    void shouldDeriveTheKeysOfRfc7677() {
        assertThat(Base64.getEncoder().encodeToString(pencil.storedKey()))
                .isEqualTo("WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=");
        assertThat(Base64.getEncoder().encodeToString(pencil.serverKey()))
                .isEqualTo("wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=");
    }

    @Test
    void shouldVerifyOnlyTheRightPassword() {
        assertThat(pencil.verifyPassword("pencil".toCharArray())).isTrue();
        assertThat(pencil.verifyPassword("Pencil".toCharArray())).isFalse();
        assertThat(pencil.verifyPassword(new char[0])).isFalse();
        assertThat(pencil.verifyPassword(new char[] {7})).isFalse();
    }

    @Test
    void shouldKeepItsKeysToItself() {
        // when
        pencil.storedKey()[0] ^= 1;
        pencil.salt()[0] ^= 1;

        // then
        assertThat(pencil).isEqualTo(ScramCredential.derive("pencil".toCharArray(), SALT, 4096));
        assertThat(pencil.toString()).isEqualTo("ScramCredential[iterations=4096]");
    }

    @Test
    void shouldRefusePartsOfImpossibleSize() {
        byte[] key = new byte[32];
        assertThatThrownBy(() -> new ScramCredential(new byte[7], 4096, key, key))
                .hasMessageContaining("salt");
        assertThatThrownBy(() -> new ScramCredential(SALT, 4095, key, key)).hasMessageContaining("4095");
        assertThatThrownBy(() -> new ScramCredential(SALT, 10_000_001, key, key))
                .hasMessageContaining("iterations");
        assertThatThrownBy(() -> new ScramCredential(SALT, 4096, new byte[31], key))
                .hasMessageContaining("storedKey");
        assertThatThrownBy(() -> new ScramCredential(SALT, 4096, key, new byte[33]))
                .hasMessageContaining("serverKey");
    }

    @Test
    void shouldUseTheIterationsOfMostUsers() {
        // given
        ScramCredential other = ScramCredential.derive("x".toCharArray(), SALT, 5000);

        // then
        assertThat(new InMemoryUsers(Map.of("a", other, "b", pencil, "c", pencil)).usualIterations())
                .isEqualTo(4096);
        assertThat(new InMemoryUsers(Map.of()).usualIterations()).isEqualTo(ScramCredential.DEFAULT_ITERATIONS);
    }

    @ParameterizedTest
    @CsvSource({
        "I\u00adX, IX",
        "user, user",
        "USER, USER",
        "\u00aa, a",
        "\u2168, IX",
        "a\u00a0b, a b",
        "\u0627\u0628, \u0627\u0628",
        "\ud83d\ude00, \ud83d\ude00"
    })
    void shouldPrepareTextAsRfc4013Says(String text, String prepared) {
        assertThat(SaslPrep.prepare(text)).isEqualTo(prepared);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0007", "\u06271", "\ue000", "a\u0627", "\ufffd", "\uffff", "\u2028"})
    void shouldRefuseTextThatRfc4013Forbids(String text) {
        assertThatThrownBy(() -> SaslPrep.prepare(text)).isInstanceOf(IllegalArgumentException.class);
    }
}

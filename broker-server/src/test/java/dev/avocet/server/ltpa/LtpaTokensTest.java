package dev.avocet.server.ltpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.LtpaVersion;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.server.certificates.UnusableProfileException;
import dev.avocet.testkit.LtpaIssuer;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LtpaTokensTest {
    private static final String PASSWORD = "WebAS";
    private static final LtpaIssuer ISSUER = LtpaIssuer.create();

    private final ManualClock clock = new ManualClock();
    private final long end = clock.wallTimeMs() + 60_000;

    @Test
    void shouldTellUserAndEndOfATokenOfEachVersion() throws Exception {
        LtpaTokens tokens = tokens("", "uid,cn", LtpaVersion.values());

        for (int i = 0; i < 20; i++) { // signatures of both halves of the numbers
            String user = "uid=anna" + i + ",ou=people,o=acme";
            assertThat(who(tokens.check(ISSUER.token2(user, end + i)))).isEqualTo("anna" + i);
            assertThat(who(tokens.check(ISSUER.token1(user, end + i)))).isEqualTo("anna" + i);
        }
        assertThat(tokens.check(ISSUER.token2("uid=anna,o=acme", end)))
                .isInstanceOfSatisfying(
                        LoginVerdict.Accepted.class,
                        login -> assertThat(login.until()).isEqualTo(Instant.ofEpochMilli(end)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uid=anna,ou=people,o=acme | uid,cn | anna",
                "cn=Anna B,ou=people,o=acme | uid,cn | Anna B",
                "CN=Anna B+UID=anna,o=acme | uid,cn | anna",
                "uid=anna,o=acme | mail,uid | anna",
                "cn=a\\\\,b,o=acme | cn | a,b",
                "anna | uid,cn | anna",
                "uid=anna,o=acme | '' | uid=anna,o=acme",
            })
    void shouldTakeTheUserNameOutOfTheDistinguishedName(String user, String map, String name) throws Exception {
        assertThat(who(tokens("", map, LtpaVersion.TWO).check(ISSUER.token2(user, end))))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseATokenThatWasChangedAnywhere(int version) throws Exception {
        LtpaTokens tokens = tokens("", "uid", LtpaVersion.values());
        String token = version == 2 ? ISSUER.token2("uid=anna,o=acme", end) : ISSUER.token1("uid=anna,o=acme", end);
        assertThat(tokens.check(token)).isInstanceOf(LoginVerdict.Accepted.class);

        byte[] bytes = Base64.getDecoder().decode(token);
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                assertThat(tokens.check(Base64.getEncoder().encodeToString(changed)))
                        .as("byte %d, bit %d", at, bit)
                        .isInstanceOf(LoginVerdict.Refused.class);
            }
        }
        for (int at = 0; at < token.length(); at++) {
            char other = token.charAt(at) == 'A' ? 'B' : 'A';
            String changed = token.substring(0, at) + other + token.substring(at + 1);
            assertThat(tokens.check(changed)).as("character %d", at).isInstanceOf(LoginVerdict.Refused.class);
            assertThat(tokens.check(token.substring(0, at))).isInstanceOf(LoginVerdict.Refused.class);
        }
    }

    @Test
    void shouldSayInTheLogWhyATokenIsNotGood() throws Exception {
        LtpaTokens tokens = tokens("", "uid", LtpaVersion.TWO);
        String good = LtpaIssuer.body(end, "office", "uid=anna,o=acme");

        assertThat(why(tokens.check(LtpaIssuer.create().token2("uid=anna,o=acme", end))))
                .contains("not encrypted with the key of KeyFileName");
        assertThat(why(tokens.check(ISSUER.token2("uid=anna,o=acme", clock.wallTimeMs()))))
                .contains("it has expired at ");
        assertThat(why(tokens.check(
                        ISSUER.token2(LtpaIssuer.body(end, "shop", "uid=anna,o=acme"), Long.toString(end)))))
                .contains("of the realm 'shop' and not of 'office'");
        assertThat(why(tokens.check(ISSUER.token2(good, Long.toString(end + 1)))))
                .as("only the time within is signed")
                .contains("two times");
        assertThat(why(tokens.check(ISSUER.token2("u:user\\:office/uid=anna", Long.toString(end)))))
                .contains("not signed");
        assertThat(why(tokens.check(ISSUER.token2(good + "$u:user\\:office/uid=root", Long.toString(end)))))
                .contains("'u' is ambiguous");
        assertThat(why(tokens.check(ISSUER.token2("expire:" + end + "$u:anna", Long.toString(end)))))
                .contains("does not name a user");
        assertThat(why(tokens.check(ISSUER.token2("expire:soon$u:user\\:office/a", "soon"))))
                .contains("does not say when it ends");
        assertThat(why(tokens.check(ISSUER.token2("mail=anna,o=acme", end))))
                .contains("none of the attributes uid of UserIdMap");
        assertThat(why(tokens.check(ISSUER.token2("uid=,o=acme", end)))).contains("empty, too long");
        assertThat(why(tokens.check(ISSUER.token1("uid=anna,o=acme", end))))
                .contains("an LtpaToken, which is not among TokenVersions");
        assertThat(why(tokens.check(""))).contains("empty, too long or no Base64");
        assertThat(why(tokens.check("A".repeat(4_097)))).contains("empty, too long or no Base64");
        assertThat(why(tokens.check("%%%"))).contains("empty, too long or no Base64");
    }

    @Test
    void shouldRefuseATokenOnceItsTimeIsOver() throws Exception {
        LtpaTokens tokens = tokens("", "uid", LtpaVersion.TWO);
        String token = ISSUER.token2("uid=anna,o=acme", end);
        clock.advance(Duration.ofMillis(59_999));
        assertThat(tokens.check(token)).isInstanceOf(LoginVerdict.Accepted.class);
        clock.advance(Duration.ofMillis(1));
        assertThat(tokens.check(token)).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldTakeTheRealmOfTheProfileBeforeThatOfTheFile() throws Exception {
        String shop = ISSUER.token2(LtpaIssuer.body(end, "shop", "uid=anna"), Long.toString(end));
        assertThat(tokens("shop", "uid", LtpaVersion.TWO).check(shop)).isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(why(tokens("shop", "uid", LtpaVersion.TWO).check(ISSUER.token2("uid=anna", end))))
                .contains("of the realm 'office' and not of 'shop'");
    }

    @Test
    void shouldSayWhatIsWrongWithAFileOfKeys() {
        String file = ISSUER.keyFile(PASSWORD);
        assertThatThrownBy(() -> LtpaKeys.parse(file, "wrong")).hasMessageContaining("Password: ");
        assertThatThrownBy(() -> LtpaKeys.parse("", PASSWORD))
                .hasMessageContaining("has no com.ibm.websphere.ltpa.3DESKey");
        assertThatThrownBy(() -> LtpaKeys.parse(file.replace("PublicKey", "Other"), PASSWORD))
                .hasMessageContaining("has no com.ibm.websphere.ltpa.PublicKey");
        assertThatThrownBy(() -> LtpaKeys.parse(file.replace("PublicKey=", "PublicKey=AAAA*"), PASSWORD))
                .hasMessageContaining("is not Base64");
        assertThatThrownBy(() -> LtpaKeys.parse(file.replaceAll("PublicKey=.*", "PublicKey=AAAA"), PASSWORD))
                .hasMessageContaining("not an RSA key of 1024 to 4096 bits");
        assertThatThrownBy(() -> LtpaKeys.parse("\\u00zz=1", PASSWORD)).hasMessageContaining("not a file of LTPA keys");
        assertThatThrownBy(() -> LtpaKeys.parse(ISSUER.keyFile(PASSWORD, "office", "2.0"), PASSWORD))
                .isInstanceOf(UnusableProfileException.class)
                .hasMessageContaining("of version 2.0");
    }

    private LtpaTokens tokens(String realm, String userIdMap, LtpaVersion... versions) throws Exception {
        LTPAProfile profile =
                new LTPAProfile("p", "ltpa.keys", OutgoingSecret.of(PASSWORD), Set.of(versions), realm, userIdMap);
        return new LtpaTokens(profile, LtpaKeys.parse(ISSUER.keyFile(PASSWORD), PASSWORD), clock);
    }

    private static String who(LoginVerdict verdict) {
        assertThat(verdict).isInstanceOf(LoginVerdict.Accepted.class);
        return String.valueOf(((LoginVerdict.Accepted) verdict).identity().userName());
    }

    private static String why(LoginVerdict verdict) {
        assertThat(verdict).isInstanceOf(LoginVerdict.Refused.class);
        return ((LoginVerdict.Refused) verdict).why();
    }
}

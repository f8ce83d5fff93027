package dev.avocet.core.security.scram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.scram.ScramReply.Reason;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.ScramCredential;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchange of RFC 7677 section 3, and everything a client can do wrong. */
class ScramServerTest {
    private static final byte[] SALT = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String CLIENT_FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    private static final String WHOLE_NONCE = "rOprNGfwEbeRWgbNEkqO" + SERVER_NONCE;
    private static final String SERVER_FIRST = "r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    private static final String PROOF = ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String CLIENT_FINAL = "c=biws,r=" + WHOLE_NONCE + PROOF;

    private final InMemoryUsers users =
            new InMemoryUsers(Map.of("user", ScramCredential.derive("pencil".toCharArray(), SALT, 4096)));
    private final ScramAuthenticator authenticator = new ScramAuthenticator(users, new SecureRandom());

    @Test
    void shouldAcceptTheExchangeOfRfc7677() {
        // given
        ScramServer server = new ScramServer(authenticator, SERVER_NONCE);

        // when
        ScramReply challenge = server.onMessage(utf8(CLIENT_FIRST));
        ScramReply accepted = server.onMessage(utf8(CLIENT_FINAL));

        // then
        assertThat(challenge).isEqualTo(new ScramReply.Challenge(SERVER_FIRST));
        assertThat(accepted)
                .isEqualTo(new ScramReply.Accepted("user", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    @Test
    void shouldRefuseAWrongProof() {
        // given
        ScramServer server = new ScramServer(authenticator, SERVER_NONCE);
        server.onMessage(utf8(CLIENT_FIRST));

        // when
        ScramReply reply = server.onMessage(utf8(CLIENT_FINAL.replace("p=dHzb", "p=dHzc")));

        // then
        assertThat(reply).isEqualTo(new ScramReply.Rejected(Reason.NOT_AUTHORIZED));
    }

    @Test
    void shouldAnswerAnUnknownNameLikeAKnownOneAndAlwaysTheSame() {
        // given
        String clientFirst = "n,,n=nobody,r=abc";

        // when
        String once = challenge(new ScramServer(authenticator, "x"), clientFirst);
        String again = challenge(new ScramServer(authenticator, "x"), clientFirst);
        String other = challenge(new ScramServer(authenticator, "x"), "n,,n=somebody,r=abc");

        // then
        assertThat(once).isEqualTo(again).matches("r=abcx,s=[A-Za-z0-9+/]{22}==,i=4096");
        assertThat(other).isNotEqualTo(once);
    }

    @Test
    void shouldRefuseAnUnknownNameWhateverItProves() {
        // given
        ScramServer server = new ScramServer(authenticator, SERVER_NONCE);
        server.onMessage(utf8("n,,n=nobody,r=rOprNGfwEbeRWgbNEkqO"));

        // when
        ScramReply reply = server.onMessage(utf8(CLIENT_FINAL));

        // then
        assertThat(reply).isEqualTo(new ScramReply.Rejected(Reason.NOT_AUTHORIZED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';MALFORMED",
                "n;MALFORMED",
                "n,;MALFORMED",
                "n,,;MALFORMED",
                "x,,n=user,r=abc;MALFORMED",
                "n,,n=user;MALFORMED",
                "n,,n=,r=abc;MALFORMED",
                "n,,r=abc,n=user;MALFORMED",
                "n,,n=us=er,r=abc;MALFORMED",
                "n,,n=us=2c,r=abc;MALFORMED",
                "n,,n=user,r=a\u00e4c;MALFORMED",
                "p=tls-unique,,n=user,r=abc;UNSUPPORTED",
                "n,a=root,n=user,r=abc;UNSUPPORTED",
                "n,,m=ext,n=user,r=abc;UNSUPPORTED",
            })
    void shouldRefuseABadFirstMessage(String message, Reason reason) {
        // when
        ScramReply reply = authenticator.begin().onMessage(utf8(message));

        // then
        assertThat(reply).isEqualTo(new ScramReply.Rejected(reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c=biws,r=" + WHOLE_NONCE,
                "c=biws" + PROOF,
                "c=biws,r=rOprNGfwEbeRWgbNEkqO" + PROOF,
                "c=eSws,r=" + WHOLE_NONCE + PROOF,
                "c=***,r=" + WHOLE_NONCE + PROOF,
                "c=biws,r=" + WHOLE_NONCE + ",p=AAAA",
                "c=biws,r=" + WHOLE_NONCE + ",p=***",
            })
    void shouldRefuseABadFinalMessage(String message) {
        // given
        ScramServer server = new ScramServer(authenticator, SERVER_NONCE);
        server.onMessage(utf8(CLIENT_FIRST));

        // when
        ScramReply reply = server.onMessage(utf8(message));

        // then
        assertThat(reply).isEqualTo(new ScramReply.Rejected(Reason.MALFORMED));
    }

    @Test
    void shouldRefuseMessagesThatAreTooLongOrNoUtf8() {
        assertThat(authenticator.begin().onMessage(new byte[ScramServer.MAX_MESSAGE_BYTES + 1]))
                .isEqualTo(new ScramReply.Rejected(Reason.MALFORMED));
        assertThat(authenticator.begin().onMessage(new byte[] {'n', ',', ',', 'n', '=', (byte) 0xC3, ','}))
                .isEqualTo(new ScramReply.Rejected(Reason.MALFORMED));
    }

    @Test
    void shouldTakeNothingMoreOnceItIsDecided() {
        // given
        ScramServer refused = new ScramServer(authenticator, SERVER_NONCE);
        refused.onMessage(utf8("nonsense"));
        ScramServer accepted = new ScramServer(authenticator, SERVER_NONCE);
        accepted.onMessage(utf8(CLIENT_FIRST));
        accepted.onMessage(utf8(CLIENT_FINAL));

        // then
        assertThat(refused.onMessage(utf8(CLIENT_FIRST))).isEqualTo(new ScramReply.Rejected(Reason.MALFORMED));
        assertThat(accepted.onMessage(utf8(CLIENT_FINAL))).isEqualTo(new ScramReply.Rejected(Reason.MALFORMED));
    }

    @Test
    void shouldUseANewNonceForEachExchange() {
        assertThat(challenge(authenticator.begin(), CLIENT_FIRST))
                .isNotEqualTo(challenge(authenticator.begin(), CLIENT_FIRST));
    }

    @Test
    void shouldDecodeCommasAndEqualsSignsInNames() throws ScramFormatException {
        assertThat(ClientFirst.parse(utf8("y,,n=a=2Cb=3Dc=3D2C,r=1")).userName())
                .isEqualTo("a,b=c=2C");
    }

    private static String challenge(ScramServer server, String clientFirst) {
        return ((ScramReply.Challenge) server.onMessage(utf8(clientFirst))).message();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}

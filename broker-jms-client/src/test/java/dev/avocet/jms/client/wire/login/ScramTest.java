package dev.avocet.jms.client.wire.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Objects;
import javax.security.sasl.SaslException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScramTest {
    private static final String NONCE = "rOprNGfwEbeRWgbNEkqO";
    private static final String WHOLE_NONCE = NONCE + "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String SERVER_FIRST = "r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    private final Scram scram = Objects.requireNonNull(Scram.of("SCRAM-SHA-256", NONCE));
    private final SaslCredentialsProvider user = credentials("user", "pencil");

    /** The example of RFC 7677, section 3. */
    @Test
    void shouldSpeakAsTheStandardDoes() throws SaslException {
        assertThat(text(scram.getInitialResponse(user))).isEqualTo("n,,n=user,r=" + NONCE);
        assertThat(text(scram.getChallengeResponse(user, bytes(SERVER_FIRST))))
                .isEqualTo("c=biws,r=" + WHOLE_NONCE + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assertThatThrownBy(scram::verifyCompletion).hasMessageContaining("signature");
        assertThat(text(scram.getChallengeResponse(user, bytes("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="))))
                .isEmpty();
        scram.verifyCompletion();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
                "v=",
                "v=AAAA",
                "v=not base64",
                "e=other-error",
                "",
                "x=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
            })
    void shouldBelieveNoOtherSignature(final String serverFinal) throws SaslException {
        scram.getInitialResponse(user);
        scram.getChallengeResponse(user, bytes(SERVER_FIRST));

        assertThatThrownBy(() -> scram.getChallengeResponse(user, bytes(serverFinal)))
                .isInstanceOf(SaslException.class);
        assertThatThrownBy(scram::verifyCompletion).isInstanceOf(SaslException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096|nonce",
                "r=" + NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096|nonce",
                "r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=2147483647|1 to 10000000 are taken",
                "r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=0|1 to 10000000 are taken",
                "r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=many|not a number",
                "r=" + WHOLE_NONCE + ",s=?,i=4096|Base64",
                "r=" + WHOLE_NONCE + ",s=,i=4096|s= is missing",
                "m=ext,r=" + WHOLE_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096|r= is missing",
                "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=|not one of SCRAM-SHA-256",
            })
    void shouldRefuseAServerThatBeginsOtherwise(final String serverFirst, final String why) {
        scram.getInitialResponse(user);

        assertThatThrownBy(() -> scram.getChallengeResponse(user, bytes(serverFirst)))
                .isInstanceOf(SaslException.class)
                .hasMessageContaining(why);
        assertThatThrownBy(scram::verifyCompletion).isInstanceOf(SaslException.class);
    }

    @Test
    void shouldSendANameAsTheStandardWritesIt() {
        final ProtonBuffer first = scram.getInitialResponse(credentials("J\u00fcrgen=1,\u2168", "x"));

        assertThat(text(first)).isEqualTo("n,,n=J\u00fcrgen=3D1=2CIX,r=" + NONCE);
    }

    /** The examples of RFC 4013, section 3. */
    @ParameterizedTest
    @CsvSource({"I\u00adX,IX", "user,user", "USER,USER", "\u00aa,a", "\u2168,IX", "a\u00a0b,a b"})
    void shouldPrepareTexts(final String text, final String prepared) {
        assertThat(Scram.prepared(text)).isEqualTo(prepared);
    }

    private static ProtonBuffer bytes(final String text) {
        return ProtonByteArrayBufferAllocator.wrapped(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(final ProtonBuffer bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static SaslCredentialsProvider credentials(final String name, final String password) {
        return new SaslCredentialsProvider() {
            @Override
            public String vhost() {
                return "localhost";
            }

            @Override
            public String username() {
                return name;
            }

            @Override
            public String password() {
                return password;
            }

            @Override
            public @Nullable Principal localPrincipal() {
                return null;
            }
        };
    }
}

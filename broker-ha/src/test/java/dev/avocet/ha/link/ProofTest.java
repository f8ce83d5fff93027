package dev.avocet.ha.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.ha.trust.PairSecret;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.charset.StandardCharsets;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node of any version has to compute from a secret. */
final class ProofTest {
    private static final LinkState STATE = new LinkState("store", true, 3, 4);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32, 51, 52, 200})
    void shouldBeTheHmacUnderLabelAndSecretHoweverLongTheSecretIs(int length) throws Exception {
        // given
        String secret = "s".repeat(length);
        byte[] dialerNonce = new byte[Proof.NONCE_BYTES];
        byte[] listenerNonce = new byte[Proof.NONCE_BYTES];
        dialerNonce[0] = 1;

        // when
        byte[] proof = new Proof(2, "pair", "a", "b", dialerNonce, listenerNonce)
                .of(PairSecret.of(secret.getBytes(StandardCharsets.US_ASCII)), true, STATE);

        // then
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(said)) {
            out.writeBoolean(true);
            out.writeByte(2);
            for (String name : new String[] {"pair", "a", "b"}) {
                out.writeUTF(name);
            }
            out.write(dialerNonce);
            out.write(listenerNonce);
            out.writeUTF("store");
            out.writeBoolean(true);
            out.writeLong(3);
            out.writeLong(4);
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(("avocet link 1" + secret).getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        assertThat(proof).isEqualTo(mac.doFinal(said.toByteArray()));
    }
}

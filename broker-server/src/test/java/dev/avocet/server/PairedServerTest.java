package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.server.process.StartException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** By what the members of a pair prove themselves where FIPS 140 has to approve of it. */
class PairedServerTest {
    private static final PairSecret SECRET = PairSecret.of(new byte[32]);
    private static final Credentials.Files FILES =
            new Credentials.Files(Path.of("a.pem"), Path.of("a.key"), Path.of("ca.pem"));

    @Test
    void shouldRefuseASecretAlone() {
        assertThatThrownBy(() -> PairedServer.requireApproved(true, "security.fips", new Credentials(SECRET, null)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("security.fips: TLS between the members would be made of --ha-secret-file")
                .hasMessageContaining("--ha-certificate, --ha-key and --ha-trust");
    }

    @Test
    void shouldTakeCertificatesAndMembersOfOneMachine() {
        assertThatCode(() -> {
                    PairedServer.requireApproved(true, "security.fips", new Credentials(SECRET, FILES));
                    PairedServer.requireApproved(true, "security.fips", new Credentials(PairSecret.NONE, FILES));
                    PairedServer.requireApproved(true, "security.fips", Credentials.NONE);
                    PairedServer.requireApproved(false, "security.fips", new Credentials(SECRET, null));
                })
                .doesNotThrowAnyException();
    }
}

package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Provider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovedCryptographyTest {
    private static final String OPTION = "security.fips";

    @Test
    void shouldRefuseARuntimeWhoseFirstProviderIsNotValidated() {
        assertThat(refusal(null, "SUN", "BCFIPS"))
                .as("what comes first is asked first")
                .contains("is SUN, which is not validated by FIPS 140", "BCFIPS", "docs/security.md");
        assertThat(refusal(null)).contains("is none");
        assertThat(refusal(null, "BC")).contains("is BC, which");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SunPKCS11-NSS-FIPS", "OpenJCEPlusFIPS", "IBMJCEPlusFIPS"})
    void shouldTakeARuntimeWithAValidatedProviderFirst(String provider) {
        assertThat(refusal(null, provider, "SUN")).isNull();
    }

    @Test
    void shouldTakeBouncyCastleInItsApprovedModeAlone() {
        assertThat(refusal(null, "BCFIPS", "SUN")).contains("-Dorg.bouncycastle.fips.approved_only=true");
        assertThat(refusal("false", "BCFIPS", "SUN")).contains("BCFIPS also does what is not approved");
        assertThat(refusal("true", "BCFIPS", "SUN")).isNull();
    }

    @Test
    void shouldRefuseJarsOfBouncyCastleFipsInTheWrongPlace() {
        assertThat(ApprovedCryptography.mixture(true, OPTION, true, true)).contains("move them to lib/fips");
        assertThat(ApprovedCryptography.mixture(false, OPTION, true, true)).contains("move them to lib/fips");
        assertThat(ApprovedCryptography.mixture(false, OPTION, false, true))
                .contains("use security.fips", "or empty lib/fips");
        assertThat(ApprovedCryptography.mixture(true, OPTION, false, true)).isNull();
        assertThat(ApprovedCryptography.mixture(true, OPTION, true, false)).isNull();
        assertThat(ApprovedCryptography.mixture(false, OPTION, true, false)).isNull();
    }

    private static String refusal(String approvedOnly, String... names) {
        Provider[] providers = new Provider[names.length];
        for (int i = 0; i < names.length; i++) {
            providers[i] = new Named(names[i]);
        }
        return ApprovedCryptography.refusal(OPTION, providers, approvedOnly);
    }

    private static final class Named extends Provider {
        private static final long serialVersionUID = 1L;

        Named(String name) {
            super(name, "1", "of a test");
        }
    }
}

package dev.avocet.server.broker;

import java.security.Provider;
import java.security.Security;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the cryptography of this Java runtime is one that was validated by FIPS 140. */
final class ApprovedCryptography {
    /** Providers of modules that have a certificate, by what they call themselves. */
    private static final List<String> VALIDATED =
            List.of("BCFIPS", "SunPKCS11-NSS-FIPS", "OpenJCEPlusFIPS", "IBMJCEPlusFIPS");

    private static final String BOUNCY_CASTLE = "BCFIPS";
    private static final String APPROVED_ONLY = "org.bouncycastle.fips.approved_only";

    private ApprovedCryptography() {}

    /**
     * Why {@code security.fips} cannot be, or null when it can.
     *
     * @param providers of the runtime, the one that is asked first at the head
     * @param approvedOnly what the property {@value #APPROVED_ONLY} says
     */
    static @Nullable String refusal(Provider[] providers, @Nullable String approvedOnly) {
        String first = providers.length == 0 ? "none" : providers[0].getName();
        if (!VALIDATED.contains(first)) {
            return "the first security provider of this Java runtime is " + first
                    + ", which is not validated by FIPS 140; one of " + String.join(", ", VALIDATED)
                    + " has to come first in its list of providers, as docs/security.md says. Or let security.fips be false";
        }
        if (first.equals(BOUNCY_CASTLE) && !Boolean.parseBoolean(approvedOnly)) {
            return "BCFIPS also does what is not approved; start Java with -D" + APPROVED_ONLY
                    + "=true (JAVA_OPTS), or let security.fips be false";
        }
        return null;
    }

    /** The same for this runtime. */
    static @Nullable String refusal() {
        String property = System.getProperty(APPROVED_ONLY);
        return refusal(Security.getProviders(), property == null ? Security.getProperty(APPROVED_ONLY) : property);
    }
}

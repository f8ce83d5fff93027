package dev.avocet.server.broker;

import dev.avocet.server.broker.endpoint.CannotSecureException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the cryptography of this Java runtime is one that was validated by FIPS 140. */
public final class ApprovedCryptography {
    /** Providers of modules that have a certificate, by what they call themselves. */
    private static final List<String> VALIDATED =
            List.of("BCFIPS", "SunPKCS11-NSS-FIPS", "OpenJCEPlusFIPS", "IBMJCEPlusFIPS");

    private static final String PLAIN_CLASS = "org/bouncycastle/jce/provider/BouncyCastleProvider.class";
    private static final String FIPS_CLASS = "org/bouncycastle/crypto/fips/FipsStatus.class";
    private static final String BOUNCY_CASTLE = "BCFIPS";
    private static final String APPROVED_ONLY = "org.bouncycastle.fips.approved_only";

    private ApprovedCryptography() {}

    /**
     * Why FIPS 140 cannot approve, or null when it can.
     *
     * @param option that has it approve
     * @param providers of the runtime, the one that is asked first at the head
     * @param approvedOnly what the property {@value #APPROVED_ONLY} says
     */
    static @Nullable String refusal(String option, Provider[] providers, @Nullable String approvedOnly) {
        String first = providers.length == 0 ? "none" : providers[0].getName();
        if (!VALIDATED.contains(first)) {
            return "the first security provider of this Java runtime is " + first
                    + ", which is not validated by FIPS 140; one of " + String.join(", ", VALIDATED)
                    + " has to come first in its list of providers, as docs/security.md says. Or do without "
                    + option;
        }
        if (first.equals(BOUNCY_CASTLE) && !Boolean.parseBoolean(approvedOnly)) {
            return "BCFIPS also does what is not approved; start Java with -D" + APPROVED_ONLY
                    + "=true (JAVA_OPTS), or do without " + option;
        }
        return null;
    }

    /** The same for a broker. */
    public static void require(boolean fips) throws CannotSecureException {
        require(fips, "security.fips");
    }

    /**
     * Looks whether this process can do its cryptography, before any of it is done.
     *
     * @param fips whether it has to be approved
     * @param option that says so
     * @throws CannotSecureException when not; says why and what to do
     */
    public static void require(boolean fips, String option) throws CannotSecureException {
        String mixed = mixture(fips, option, isOnClassPath(PLAIN_CLASS), isOnClassPath(FIPS_CLASS));
        if (mixed != null) {
            throw new CannotSecureException(mixed);
        }
        String refusal = fips ? refusal(option) : null;
        if (refusal != null) {
            throw new CannotSecureException(option + ": " + refusal);
        }
    }

    /**
     * Why the jars that lie there cannot be, or null when they can.
     *
     * @param plain whether those that the broker comes with are on the class path
     * @param validated whether those of Bouncy Castle FIPS are
     */
    static @Nullable String mixture(boolean fips, String option, boolean plain, boolean validated) {
        if (plain && validated) {
            return "the jars of Bouncy Castle FIPS lie beside those that the broker comes with, and both have the same"
                    + " classes; move them to lib/fips, from where bin/broker takes them in place of the others, as"
                    + " docs/security.md says";
        }
        if (validated && !fips) {
            return "lib/fips holds Bouncy Castle FIPS, which takes the place of jars that are needed without " + option
                    + "; use " + option + ", or empty lib/fips";
        }
        return null;
    }

    private static boolean isOnClassPath(String name) {
        return ApprovedCryptography.class.getClassLoader().getResource(name) != null;
    }

    /** The same for this runtime. */
    private static @Nullable String refusal(String option) {
        String property = System.getProperty(APPROVED_ONLY);
        return refusal(
                option, Security.getProviders(), property == null ? Security.getProperty(APPROVED_ONLY) : property);
    }
}

package dev.avocet.core.security.provider;

/**
 * What the common name of a client's certificate is good for on an endpoint.
 *
 * @param commonNameIsUserName the common name is the user name, whatever CONNECT says
 * @param commonNameIsClientId only a client whose identifier is the common name is let in
 * @param passwordAuthentication a user name needs a password as well; otherwise who has come through TLS is let in
 */
public record CertificateUse(
        boolean commonNameIsUserName, boolean commonNameIsClientId, boolean passwordAuthentication) {
    /** The common name is for policies only, and passwords are asked for. */
    public static final CertificateUse NONE = new CertificateUse(false, false, true);
}

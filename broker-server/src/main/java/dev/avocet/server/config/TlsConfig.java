package dev.avocet.server.config;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.tls.client.ClientCertificates;

/** How an endpoint speaks TLS; without certificate it does not. */
public record TlsConfig(
        @Doc(
                "PEM file with the endpoint's certificate and those of intermediate authorities. Relative paths of this section begin"
                        + " at `security` in the data directory. All files are read again when they change, without a restart.")
        String certificate,

        @Doc("PEM file with the certificate's key.") String key,

        @Doc("The key's password, if it is encrypted, or that of `keyStore`.")
        String keyPassword,

        @Doc("PKCS#12 file with certificate and key, in place of the two PEM files.")
        String keyStore,

        @Doc("PEM file with the authorities, or single certificates, that clients' certificates are held against.")
        String trustedCertificates,

        @Doc(
                "The oldest version of TLS that clients may speak. `TLSv1` and `TLSv1.1` are broken: the broker refuses them.")
        TlsVersion minimumProtocol,

        @Doc("`best`: keys of 256 bits and forward secrecy only; `medium`: also keys of 128 bits; `fast`: also"
                + " TLS_RSA_WITH_AES_256_GCM_SHA384, for clients that know nothing better.")
        Ciphers ciphers,

        @Doc("Whether clients have to show a certificate.") ClientCertificates clientCertificates,

        @Doc(
                "The common name of a client's certificate is its user name, whatever CONNECT says. It is there for policies in any case.")
        boolean commonNameIsUserName,

        @Doc("Clients are let in only if their client identifier is the common name of their certificate.")
        boolean commonNameIsClientId,

        @Doc(
                "Clients need a user name and a password as well. May be `false` only where `clientCertificates` is `require`: then the"
                        + " certificate is enough.")
        boolean passwordAuthentication,

        @Doc("How long a handshake may take.") @Range(min = 100, max = 60_000)
        int handshakeTimeoutMs)
        implements Constrained {
    /** None. */
    public static final String DEFAULT_CERTIFICATE = "";
    /** None. */
    public static final String DEFAULT_KEY = "";
    /** None. */
    public static final String DEFAULT_KEY_PASSWORD = "";
    /** None. */
    public static final String DEFAULT_KEY_STORE = "";
    /** None. */
    public static final String DEFAULT_TRUSTED_CERTIFICATES = "";
    /** What every client of the last ten years speaks. */
    public static final TlsVersion DEFAULT_MINIMUM_PROTOCOL = TlsVersion.TLS_1_2;
    /** Safe, and what every current client speaks. */
    public static final Ciphers DEFAULT_CIPHERS = Ciphers.MEDIUM;
    /** Most clients have none. */
    public static final ClientCertificates DEFAULT_CLIENT_CERTIFICATES = ClientCertificates.NONE;
    /** Only if asked for. */
    public static final boolean DEFAULT_COMMON_NAME_IS_USER_NAME = false;
    /** Only if asked for. */
    public static final boolean DEFAULT_COMMON_NAME_IS_CLIENT_ID = false;
    /** Safe unless asked otherwise. */
    public static final boolean DEFAULT_PASSWORD_AUTHENTICATION = true;
    /** Half of what a connection has for everything until CONNECT. */
    public static final int DEFAULT_HANDSHAKE_TIMEOUT_MS = 5_000;

    /** No TLS. */
    public static TlsConfig defaults() {
        return new TlsConfig(
                DEFAULT_CERTIFICATE,
                DEFAULT_KEY,
                DEFAULT_KEY_PASSWORD,
                DEFAULT_KEY_STORE,
                DEFAULT_TRUSTED_CERTIFICATES,
                DEFAULT_MINIMUM_PROTOCOL,
                DEFAULT_CIPHERS,
                DEFAULT_CLIENT_CERTIFICATES,
                DEFAULT_COMMON_NAME_IS_USER_NAME,
                DEFAULT_COMMON_NAME_IS_CLIENT_ID,
                DEFAULT_PASSWORD_AUTHENTICATION,
                DEFAULT_HANDSHAKE_TIMEOUT_MS);
    }

    /** Whether the endpoint speaks TLS at all. */
    public boolean enabled() {
        return !equals(defaults());
    }

    /** Whether a certificate is needed to come in. */
    boolean requiresCertificate() {
        return enabled() && clientCertificates == ClientCertificates.REQUIRE;
    }

    @Override
    public void check(Problems problems) {
        if (!enabled()) {
            return;
        }
        checkKey(problems);
        if (minimumProtocol.isBroken()) {
            problems.at("minimumProtocol").add(minimumProtocol + " is broken and not spoken; write TLSv1.2 or TLSv1.3");
        }
        boolean asked = clientCertificates != ClientCertificates.NONE;
        if (asked && trustedCertificates.isEmpty()) {
            problems.at("trustedCertificates").add("must name a file to hold clients' certificates against");
        }
        if (!asked && (commonNameIsUserName || commonNameIsClientId)) {
            problems.at("clientCertificates").add("must be request or require where their common name is used");
        }
        if (!passwordAuthentication && !requiresCertificate()) {
            problems.at("passwordAuthentication")
                    .add("can be false only where clientCertificates is require; otherwise every client would come in");
        }
    }

    private void checkKey(Problems problems) {
        boolean pem = !certificate.isEmpty() || !key.isEmpty();
        if (pem && !keyStore.isEmpty()) {
            problems.at("keyStore").add("must not be there beside certificate and key");
        } else if (keyStore.isEmpty() && certificate.isEmpty()) {
            problems.at("certificate").add("must name a PEM file, or keyStore a PKCS#12 file");
        } else if (keyStore.isEmpty() && key.isEmpty()) {
            problems.at("key").add("must name the PEM file with the certificate's key");
        }
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "TlsConfig[" + certificate + keyStore + "]";
    }
}

package dev.avocet.server.broker;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.CertificateProfile;
import dev.avocet.core.config.object.CipherSuites;
import dev.avocet.core.config.object.Endpoint;
import dev.avocet.core.config.object.Protocol;
import dev.avocet.core.config.object.SecurityProfile;
import dev.avocet.core.config.object.TlsVersion;
import dev.avocet.server.config.Ciphers;
import dev.avocet.server.config.ClientCertificateMode;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.MinimumProtocol;
import dev.avocet.server.config.TlsConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint that is a configuration object comes to, in the words of the startup file. Two plans that are equal need no new
 * listener.
 *
 * @param securedByProfile whether a SecurityProfile says how clients are authenticated; otherwise the startup file does
 * @param anonymous whether the profile lets clients in without a name
 */
record ListenPlan(EndpointConfig config, boolean securedByProfile, boolean anonymous) {
    /** Every address of this machine, of both families. */
    static final String EVERY_ADDRESS = "::";
    /** The same where there is no IPv6. */
    static final String EVERY_IPV4_ADDRESS = "0.0.0.0";

    private static final String ALL = "All";

    static ListenPlan of(Configuration configuration, Endpoint endpoint, long maxMessageSizeBytes)
            throws CannotServeException {
        SecurityProfile profile = configuration
                .find(SecurityProfile.class, endpoint.securityProfile())
                .orElse(null);
        EndpointConfig config = new EndpointConfig(
                endpoint.name(),
                endpoint.address().equals(ALL) ? EVERY_ADDRESS : endpoint.address(),
                endpoint.port(),
                protocols(endpoint),
                (int) Math.min(endpoint.maxMessageSizeBytes(), maxMessageSizeBytes),
                endpoint.allowInsecure(),
                origins(endpoint.allowedOrigins()),
                profile == null ? EndpointConfig.DEFAULT_TLS : tls(configuration, profile));
        return new ListenPlan(config, profile != null, profile != null && !profile.usePasswordAuthentication());
    }

    /** The same on another address. */
    ListenPlan listeningOn(String host) {
        return new ListenPlan(config.listeningOn(config.name(), host, config.port()), securedByProfile, anonymous);
    }

    private static List<dev.avocet.server.config.Protocol> protocols(Endpoint endpoint) {
        List<dev.avocet.server.config.Protocol> spoken = new ArrayList<>();
        if (endpoint.protocol().contains(Protocol.MQTT)) {
            spoken.add(dev.avocet.server.config.Protocol.MQTT);
            spoken.add(dev.avocet.server.config.Protocol.WEBSOCKET);
        }
        if (endpoint.protocol().contains(Protocol.JMS)) {
            spoken.add(dev.avocet.server.config.Protocol.AMQP);
        }
        return List.copyOf(spoken);
    }

    private static List<String> origins(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .toList();
    }

    private static TlsConfig tls(Configuration configuration, SecurityProfile profile) throws CannotServeException {
        if (profile.useClientCertificate()) {
            throw new CannotServeException("its SecurityProfile asks for client certificates, which only endpoints of"
                    + " the startup file can do yet");
        }
        CertificateProfile certificate = certificate(configuration, profile);
        return certificate == null
                ? TlsConfig.defaults()
                : new TlsConfig(
                        certificate.certificate(),
                        certificate.key(),
                        TlsConfig.DEFAULT_KEY_PASSWORD,
                        TlsConfig.DEFAULT_KEY_STORE,
                        TlsConfig.DEFAULT_TRUSTED_CERTIFICATES,
                        profile.minimumProtocolMethod() == TlsVersion.TLS_1_3
                                ? MinimumProtocol.TLS_1_3
                                : MinimumProtocol.TLS_1_2, // what is older is broken, and not spoken at all
                        ciphers(profile.ciphers()),
                        ClientCertificateMode.NONE,
                        TlsConfig.DEFAULT_COMMON_NAME_IS_USER_NAME,
                        TlsConfig.DEFAULT_COMMON_NAME_IS_CLIENT_ID,
                        TlsConfig.DEFAULT_PASSWORD_AUTHENTICATION,
                        TlsConfig.DEFAULT_HANDSHAKE_TIMEOUT_MS);
    }

    private static @Nullable CertificateProfile certificate(Configuration configuration, SecurityProfile profile) {
        return profile.tlsEnabled()
                ? configuration
                        .find(CertificateProfile.class, profile.certificateProfile())
                        .orElseThrow()
                : null;
    }

    private static Ciphers ciphers(CipherSuites suites) {
        return switch (suites) {
            case BEST -> Ciphers.BEST;
            case MEDIUM -> Ciphers.MEDIUM;
            case FAST -> Ciphers.FAST;
        };
    }
}

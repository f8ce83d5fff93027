package dev.avocet.server.broker.endpoint;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.ServerAddress;
import dev.avocet.core.frontend.Sending;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.server.certificates.ProfileTls;
import dev.avocet.server.certificates.UnusableProfileException;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.WireProtocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint that is a configuration object comes to, in the words of the startup file. Two plans that are equal
 * need no new listener.
 *
 * @param config without its section {@code tls}, which counts for endpoints of the startup file only
 * @param tls how connections are encrypted; null when they are not
 * @param sending how what its connections have to send goes out
 * @param about whether a browser gets a page
 * @param redirect another server to which clients are sent; null to serve them
 * @param profile says how clients are authenticated; null when the startup file does
 */
public record ListenPlan(
        EndpointConfig config,
        @Nullable TlsOptions tls,
        @Nullable SecurityProfile profile,
        Sending sending,
        boolean about,
        @Nullable ServerAddress redirect) {
    /** Every address of this machine, of both families. */
    static final String EVERY_ADDRESS = "::";
    /** The same where there is no IPv6. */
    static final String EVERY_IPV4_ADDRESS = "0.0.0.0";

    private static final String ALL = "All";
    private static final int DEFAULT_MAX_SEND_BYTES = 16_384;

    /** @param files where uploaded certificates are */
    static ListenPlan of(Configuration configuration, Endpoint endpoint, long maxMessageSizeBytes, Path files)
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
                endpoint.allowControlCharacters(),
                endpoint.preciseSubscribeCodes(),
                endpoint.bareNamesAreTopics(),
                EndpointConfig.DEFAULT_TLS);
        try {
            return new ListenPlan(
                    config,
                    profile == null ? null : ProfileTls.options(configuration, profile, files),
                    profile,
                    sending(endpoint),
                    endpoint.enableAbout(),
                    endpoint.redirectTo().isEmpty() ? null : ServerAddress.parse(endpoint.redirectTo()));
        } catch (UnusableProfileException | InvalidValueException e) {
            throw new CannotServeException(String.valueOf(e.getMessage()));
        }
    }

    /** The same on another address. */
    ListenPlan listeningOn(String host) {
        EndpointConfig elsewhere = config.listeningOn(config.name(), host, config.port());
        return new ListenPlan(elsewhere, tls, profile, sending, about, redirect);
    }

    /** The default is no limit: the broker knows better. */
    private static Sending sending(Endpoint endpoint) {
        int max = endpoint.maxSendSizeBytes();
        return new Sending(max < DEFAULT_MAX_SEND_BYTES ? max : Integer.MAX_VALUE, endpoint.batchMessages());
    }

    private static List<WireProtocol> protocols(Endpoint endpoint) {
        List<WireProtocol> spoken = new ArrayList<>();
        if (endpoint.protocol().contains(Protocol.MQTT)) {
            spoken.add(WireProtocol.MQTT);
            spoken.add(WireProtocol.WEBSOCKET);
        }
        if (endpoint.protocol().contains(Protocol.JMS)) {
            spoken.add(WireProtocol.AMQP);
        }
        return List.copyOf(spoken);
    }

    private static List<String> origins(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .toList();
    }
}

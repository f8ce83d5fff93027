package dev.avocet.core.policy;

import dev.avocet.core.config.object.ClientSelection;
import dev.avocet.core.config.object.Protocol;
import dev.avocet.core.config.value.AddressRanges;
import dev.avocet.core.config.value.InvalidValueException;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a policy that says to which clients it applies: to those that fit every filter that is there. Immutable.
 */
final class ClientFilter {
    private final @Nullable TextPattern clientId;
    private final @Nullable AddressRanges addresses;
    private final @Nullable TextPattern userId;
    private final @Nullable TextPattern groupId;
    private final @Nullable TextPattern commonNames;
    private final Set<Protocol> protocols;

    private ClientFilter(ClientSelection of) {
        this.clientId = pattern(of.clientId());
        this.addresses = addresses(of.clientAddress());
        this.userId = pattern(of.userId());
        this.groupId = pattern(of.groupId());
        this.commonNames = pattern(of.commonNames());
        this.protocols = of.protocol();
    }

    static ClientFilter of(ClientSelection policy) {
        return new ClientFilter(policy);
    }

    boolean matches(ClientFacts client) {
        return (protocols.isEmpty() || protocols.contains(client.protocol()))
                && fits(clientId, client.clientId(), client)
                && fits(userId, client.userId(), client)
                && fits(commonNames, client.commonName(), client)
                && isFrom(client.address())
                && isInGroup(client);
    }

    private static boolean fits(@Nullable TextPattern pattern, @Nullable String value, ClientFacts client) {
        return pattern == null || (value != null && pattern.matches(value, client));
    }

    private boolean isFrom(@Nullable InetAddress address) {
        return addresses == null || (address != null && addresses.contains(address));
    }

    private boolean isInGroup(ClientFacts client) {
        TextPattern pattern = groupId;
        return pattern == null || client.groups().stream().anyMatch(group -> pattern.matches(group, client));
    }

    private static @Nullable TextPattern pattern(String text) {
        return text.isEmpty() ? null : TextPattern.parse(text);
    }

    private static @Nullable AddressRanges addresses(String text) {
        try {
            return text.isEmpty() ? null : AddressRanges.parse(text);
        } catch (InvalidValueException e) {
            throw new IllegalStateException("a configuration with client addresses that are none", e);
        }
    }
}

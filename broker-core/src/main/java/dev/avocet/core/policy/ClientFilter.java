package dev.avocet.core.policy;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.policy.ClientSelection;
import dev.avocet.core.config.value.AddressRanges;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.policy.Explanation.Difference;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a policy that says to which clients it applies: to those that fit every filter that is there. Immutable.
 */
final class ClientFilter {
    private static final Part[] PARTS = Part.values();

    private final @Nullable TextPattern clientId;
    private final @Nullable AddressRanges addresses;
    private final @Nullable TextPattern userId;
    private final @Nullable TextPattern groupId;
    private final @Nullable TextPattern commonNames;
    private final Set<Protocol> protocols;

    private final ClientSelection of;

    private ClientFilter(ClientSelection of) {
        this.of = of;
        this.clientId = pattern(of.clientId());
        this.addresses = addresses(of.users().clientAddress());
        this.userId = pattern(of.users().userId());
        this.groupId = pattern(of.users().groupId());
        this.commonNames = pattern(of.users().commonNames());
        this.protocols = of.protocol();
    }

    static ClientFilter of(ClientSelection policy) {
        return new ClientFilter(policy);
    }

    boolean matches(ClientFacts client) {
        for (Part part : PARTS) {
            if (!fits(part, client)) {
                return false;
            }
        }
        return true;
    }

    /** The filters that the client does not fit; none when it matches. */
    List<Difference> differences(ClientFacts client) {
        List<Difference> differences = new ArrayList<>();
        for (Part part : PARTS) {
            if (!fits(part, client)) {
                differences.add(difference(part, client));
            }
        }
        return differences;
    }

    private boolean fits(Part part, ClientFacts client) {
        return switch (part) {
            case PROTOCOL -> protocols.isEmpty() || protocols.contains(client.protocol());
            case CLIENT_ID -> fits(clientId, client.clientId(), client);
            case USER_ID -> fits(userId, client.userId(), client);
            case COMMON_NAMES -> fits(commonNames, client.commonName(), client);
            case CLIENT_ADDRESS -> isFrom(client.address());
            case GROUP_ID -> isInGroup(client);
        };
    }

    private Difference difference(Part part, ClientFacts client) {
        return switch (part) {
            case PROTOCOL ->
                new Difference(
                        "Protocol",
                        of.protocol().stream().map(Protocol::toString).sorted().collect(Collectors.joining(",")),
                        client.protocol().toString());
            case CLIENT_ID -> new Difference("ClientID", of.clientId(), client.clientId());
            case USER_ID ->
                new Difference("UserID", of.users().userId(), Objects.requireNonNullElse(client.userId(), ""));
            case COMMON_NAMES ->
                new Difference(
                        "CommonNames", of.users().commonNames(), Objects.requireNonNullElse(client.commonName(), ""));
            case CLIENT_ADDRESS -> {
                InetAddress address = client.address();
                yield new Difference(
                        "ClientAddress", of.users().clientAddress(), address == null ? "" : address.getHostAddress());
            }
            case GROUP_ID -> new Difference("GroupID", of.users().groupId(), String.join(",", client.groups()));
        };
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
            throw new IllegalStateException("a configuration with client addresses that are not valid", e);
        }
    }

    /** The filters, in the order in which they are looked at: what costs least first. */
    private enum Part {
        PROTOCOL,
        CLIENT_ID,
        USER_ID,
        COMMON_NAMES,
        CLIENT_ADDRESS,
        GROUP_ID
    }
}

package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.ClientSelection;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicAction;
import dev.avocet.core.config.object.policy.TopicPolicy;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for policies as the book has them, each time from the start and without a thought for speed. Names the
 * policy or null.
 */
final class NaivePolicies {
    private static final Pattern TOKEN = Pattern.compile("\\$\\{([^}]*)}|\\*");

    private final Configuration configuration;
    private final Endpoint endpoint;

    NaivePolicies(Configuration configuration, Endpoint endpoint) {
        this.configuration = configuration;
        this.endpoint = endpoint;
    }

    @Nullable String connect(ClientFacts client) {
        for (ConnectionPolicy it : configuration.connectionPolicies(endpoint)) {
            if (applies(client, it)) {
                return it.name();
            }
        }
        return null;
    }

    @Nullable String topic(ClientFacts client, String topic, TopicAction action) {
        for (TopicPolicy it : configuration.topicPolicies(endpoint)) {
            if (it.actionList().contains(action) && applies(client, it) && matches(it.topic(), topic, client)) {
                return it.name();
            }
        }
        return null;
    }

    @Nullable String subscription(ClientFacts client, String name, SubscriptionAction action) {
        for (SubscriptionPolicy it : configuration.subscriptionPolicies(endpoint)) {
            if (it.actionList().contains(action) && applies(client, it) && matches(it.subscription(), name, client)) {
                return it.name();
            }
        }
        return null;
    }

    @Nullable String queue(ClientFacts client, String name, QueueAction action) {
        for (QueuePolicy it : configuration.queuePolicies(endpoint)) {
            if (it.actionList().contains(action) && applies(client, it) && matches(it.queue(), name, client)) {
                return it.name();
            }
        }
        return null;
    }

    /** The names of all policies of a type, in their order. */
    List<String> names(String type) {
        return List.copyOf(selections(type).keySet());
    }

    /** The filters of one policy that the client does not fit. */
    List<String> differences(String type, String policy, ClientFacts client) {
        return differences(Objects.requireNonNull(selections(type).get(policy)), client);
    }

    private static List<String> differences(ClientSelection it, ClientFacts client) {
        Map<String, Boolean> fits = Map.of(
                "ClientID", isEmptyOrFits(it.clientId(), List.of(client.clientId()), client),
                "UserID", isEmptyOrFits(it.users().userId(), listOf(client.userId()), client),
                "GroupID", isEmptyOrFits(it.users().groupId(), client.groups(), client),
                "CommonNames", isEmptyOrFits(it.users().commonNames(), listOf(client.commonName()), client),
                "ClientAddress",
                        it.users().clientAddress().isEmpty()
                                || isFrom(it.users().clientAddress(), client.address()),
                "Protocol", it.protocol().isEmpty() || it.protocol().contains(client.protocol()));
        return fits.entrySet().stream()
                .filter(each -> !each.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, ClientSelection> selections(String type) {
        Map<String, ClientSelection> found = new LinkedHashMap<>();
        switch (type) {
            case "ConnectionPolicy" ->
                configuration.connectionPolicies(endpoint).forEach(it -> found.put(it.name(), it));
            case "TopicPolicy" -> configuration.topicPolicies(endpoint).forEach(it -> found.put(it.name(), it));
            case "QueuePolicy" -> configuration.queuePolicies(endpoint).forEach(it -> found.put(it.name(), it));
            default -> configuration.subscriptionPolicies(endpoint).forEach(it -> found.put(it.name(), it));
        }
        return found;
    }

    private static boolean applies(ClientFacts client, ClientSelection it) {
        return differences(it, client).isEmpty();
    }

    private static boolean isEmptyOrFits(String pattern, Collection<String> values, ClientFacts client) {
        return pattern.isEmpty() || values.stream().anyMatch(value -> matches(pattern, value, client));
    }

    private static boolean matches(String pattern, String text, ClientFacts client) {
        List<String> groups = pattern.contains("${GroupID}") ? client.groups() : List.of("");
        List<String> sites =
                pattern.contains("${Claim.site}") ? client.claims().getOrDefault("site", List.of()) : List.of("");
        return groups.stream()
                .anyMatch(group -> sites.stream().anyMatch(site -> matches(pattern, text, client, group, site)));
    }

    private static boolean matches(String pattern, String text, ClientFacts client, String group, String site) {
        StringBuilder regex = new StringBuilder();
        Matcher tokens = TOKEN.matcher(pattern);
        int from = 0;
        while (tokens.find()) {
            regex.append(Pattern.quote(pattern.substring(from, tokens.start())));
            from = tokens.end();
            String variable = tokens.group(1);
            if (variable == null) {
                regex.append(".*");
                continue;
            }
            String value =
                    switch (variable) {
                        case "UserID" -> client.userId();
                        case "CommonName" -> client.commonName();
                        case "ClientID" -> client.clientId();
                        case "GroupID" -> group;
                        case "Claim.site" -> site;
                        default -> variable;
                    };
            if (value == null) {
                return false;
            }
            regex.append(Pattern.quote(value));
        }
        regex.append(Pattern.quote(pattern.substring(from)));
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    }

    private static boolean isFrom(String ranges, @Nullable InetAddress address) {
        return address != null
                && Arrays.stream(ranges.split(",")).anyMatch(range -> isIn(range.replaceAll("[\\[\\]]", ""), address));
    }

    private static boolean isIn(String range, InetAddress address) {
        String[] ends = range.split("-", -1);
        InetAddress low = addressOf(ends[0]);
        InetAddress high = addressOf(ends[ends.length - 1]);
        return low.getAddress().length == address.getAddress().length
                && numberOf(low).compareTo(numberOf(address)) <= 0
                && numberOf(address).compareTo(numberOf(high)) <= 0;
    }

    static InetAddress addressOf(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static BigInteger numberOf(InetAddress address) {
        return new BigInteger(1, address.getAddress());
    }

    private static List<String> listOf(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }
}

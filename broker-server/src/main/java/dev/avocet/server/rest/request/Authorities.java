package dev.avocet.server.rest.request;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.policy.ConfigurationPolicy;
import dev.avocet.core.config.object.policy.UserSelection;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.value.AddressRanges;
import dev.avocet.core.config.value.InvalidValueException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the configuration policies of the AdminEndpoint let an administrator do: the first that matches decides. */
public final class Authorities {
    private Authorities() {}

    public static void require(Administrator who, Set<AdminAction> anyOf, Configuration configuration) throws Refusal {
        if (who.mayDoEverything()) {
            return;
        }
        Set<AdminAction> granted = granted(who, configuration);
        boolean enough = anyOf.isEmpty() ? !granted.isEmpty() : !Collections.disjoint(granted, anyOf);
        if (!enough) {
            throw new Refusal(
                    Code.NOT_AUTHORIZED,
                    "this needs " + (anyOf.isEmpty() ? "any authority" : "the authority " + words(anyOf))
                            + "; no ConfigurationPolicy of the AdminEndpoint grants it to you here");
        }
    }

    /** All that an administrator may do. */
    public static Set<AdminAction> of(Administrator who, Configuration configuration) {
        return who.mayDoEverything() ? EnumSet.allOf(AdminAction.class) : granted(who, configuration);
    }

    private static String words(Set<AdminAction> actions) {
        return String.join(
                " or ", actions.stream().map(AdminAction::toString).sorted().toList());
    }

    private static Set<AdminAction> granted(Administrator who, Configuration configuration) {
        AdminEndpoint endpoint = configuration.single(AdminEndpoint.class);
        return configuration.resolve(ConfigurationPolicy.class, endpoint.configurationPolicies()).stream()
                .filter(policy -> matches(policy.users(), who))
                .findFirst()
                .map(ConfigurationPolicy::actionList)
                .orElse(Set.of());
    }

    private static boolean matches(UserSelection wanted, Administrator who) {
        return (wanted.commonNames().isEmpty() || fits(wanted.commonNames(), who.commonName()))
                && (wanted.clientAddress().isEmpty() || isIn(wanted.clientAddress(), who.address()))
                && (wanted.userId().isEmpty() || fits(wanted.userId(), who.name()))
                && (wanted.groupId().isEmpty()
                        || who.groups().stream().anyMatch(group -> fits(wanted.groupId(), group)));
    }

    private static boolean isIn(String ranges, InetAddress address) {
        try {
            return AddressRanges.parse(ranges).contains(address);
        } catch (InvalidValueException e) {
            throw new IllegalStateException("was found valid when it was configured", e);
        }
    }

    private static boolean fits(String pattern, @Nullable String name) {
        return name != null && pattern(pattern).matcher(name).matches();
    }

    /** A pattern in which an asterisk stands for any characters. */
    public static Pattern pattern(String text) {
        StringBuilder expression = new StringBuilder();
        for (String part : text.split("\\*+", -1)) {
            expression.append(expression.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }
}

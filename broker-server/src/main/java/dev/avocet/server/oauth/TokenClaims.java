package dev.avocet.server.oauth;

import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.user.UserNames;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a server says about a token, in the token itself or in an answer. Immutable. */
record TokenClaims(Map<String, Object> members) {
    private static final int MOST_VALUES = 200;
    private static final int MAX_VALUE_CHARS = 1_024;
    /** The end of the year 9999. */
    private static final long LATEST_S = 253_402_300_799L;

    private static final Pattern BLANKS = Pattern.compile("[ ,]+");

    /**
     * The user and the groups, under the names that the profile has for them.
     *
     * @param asked the names of the claims that policies ask for
     */
    ClientIdentity identity(OAuthProfile profile, Set<String> asked) throws TokenRefusedException {
        Object name = find(profile.userInfoKey());
        String userName = name instanceof Number ? name.toString() : name instanceof String text ? text : "";
        if (userName.isBlank() || userName.length() > UserNames.MAX_CHARS || hasControls(userName)) {
            throw new TokenRefusedException("no user name is in '" + profile.userInfoKey() + "'");
        }
        return new ClientIdentity(userName, groups(profile), null, values(asked));
    }

    /** That time, or null without such a member. */
    @Nullable Instant time(String member) throws TokenRefusedException {
        Object value = members.get(member);
        if (value == null) {
            return null;
        }
        if (value instanceof Number number) {
            return Instant.ofEpochSecond(Math.max(0, Math.min(LATEST_S, number.longValue())));
        }
        throw new TokenRefusedException("'" + member + "' is not a time");
    }

    /** Whether a member is that text, or a list that holds it. */
    boolean has(String member, String wanted) {
        Object value = members.get(member);
        return wanted.equals(value) || (value instanceof Collection<?> all && all.contains(wanted));
    }

    /** Refuses a token that lacks a scope. */
    void requireScopes(OAuthProfile profile) throws TokenRefusedException {
        if (profile.requiredScopes().isBlank()) {
            return;
        }
        Set<String> given = new LinkedHashSet<>(texts(members.get("scope")));
        given.addAll(texts(members.get("scp")));
        for (String wanted : BLANKS.split(profile.requiredScopes().strip(), -1)) {
            if (!given.contains(wanted)) {
                throw new TokenRefusedException("the scope '" + wanted + "' is missing");
            }
        }
    }

    private static Collection<String> texts(@Nullable Object scopes) {
        if (scopes instanceof Collection<?> all) {
            return all.stream().map(String::valueOf).toList();
        }
        return scopes instanceof String text ? Arrays.asList(BLANKS.split(text, -1)) : List.of();
    }

    private Set<String> groups(OAuthProfile profile) {
        Set<String> groups = new LinkedHashSet<>();
        if (!profile.groupInfoKey().isEmpty()) {
            Object value = find(profile.groupInfoKey());
            Collection<?> named = value instanceof Collection<?> all
                    ? all
                    : value instanceof String text ? parts(text, profile.groupDelimiter()) : List.of();
            for (Object each : named) {
                if (each instanceof String group && isUsable(group) && groups.size() < MOST_VALUES) {
                    groups.add(group.strip());
                }
            }
        }
        return groups;
    }

    /** Texts, whole numbers and truth values, one or a list of them; what else a claim holds has no value here. */
    private Map<String, List<String>> values(Set<String> asked) {
        Map<String, List<String>> values = new HashMap<>();
        for (String name : asked) {
            Object found = find(name);
            Collection<?> all = found instanceof Collection<?> list ? list : found == null ? List.of() : List.of(found);
            List<String> texts = all.stream()
                    .filter(each -> each instanceof String
                            || each instanceof Long
                            || each instanceof Integer
                            || each instanceof Boolean)
                    .map(String::valueOf)
                    .filter(TokenClaims::isUsable)
                    .distinct()
                    .limit(MOST_VALUES)
                    .toList();
            if (!texts.isEmpty()) {
                values.put(name, texts);
            }
        }
        return values;
    }

    private static boolean isUsable(String text) {
        return !text.isBlank() && text.length() <= MAX_VALUE_CHARS && !hasControls(text);
    }

    private static List<String> parts(String text, String delimiter) {
        return delimiter.isEmpty() ? List.of(text) : Arrays.asList(text.split(Pattern.quote(delimiter), -1));
    }

    /** A member of that name, or one within others where the name has dots. */
    private @Nullable Object find(String path) {
        Object found = members.get(path);
        if (found != null) {
            return found;
        }
        Object at = members;
        for (String step : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(step) : null;
        }
        return at;
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }
}

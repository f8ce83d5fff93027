package dev.avocet.core.security.user;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A fixed set of users, as read from the configuration. Immutable; any thread. */
public final class InMemoryUsers implements UserStore {
    private final Map<String, User> users;
    private final int usualIterations;

    /** Users by name; the map is copied. */
    public InMemoryUsers(Map<String, ScramCredential> credentials) {
        this.users = credentials.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> new User(entry.getKey(), null, entry.getValue(), Set.of())));
        this.usualIterations = mostFrequentIterations(credentials);
    }

    @Override
    public @Nullable User userOf(String userName) {
        return users.get(userName);
    }

    @Override
    public int usualIterations() {
        return usualIterations;
    }

    private static int mostFrequentIterations(Map<String, ScramCredential> credentials) {
        Map<Integer, Long> frequency = credentials.values().stream()
                .map(ScramCredential::iterations)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return frequency.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(ScramCredential.DEFAULT_ITERATIONS);
    }
}

package dev.avocet.core.security;

import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A fixed set of users, as read from the configuration. Immutable; any thread. */
public final class InMemoryUsers implements UserStore {
    private final Map<String, ScramCredential> credentials;
    private final int usualIterations;

    /** Users by name; the map is copied. */
    public InMemoryUsers(Map<String, ScramCredential> credentials) {
        this.credentials = Map.copyOf(credentials);
        this.usualIterations = mostFrequentIterations(this.credentials);
    }

    @Override
    public @Nullable ScramCredential credentialOf(String userName) {
        return credentials.get(userName);
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

package dev.avocet.server.monitor.table;

import dev.avocet.names.NearestName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an administrator wants to know, as name and value. */
public final class Question {
    private final Map<String, String> said;

    public Question(Map<String, String> said) {
        this.said = Map.copyOf(said);
    }

    public @Nullable String get(String name) {
        return said.get(name);
    }

    /** Refuses what the thing that is asked about does not know. */
    public void requireOnly(String object, List<Option> options) throws MonitorException {
        List<String> known = options.stream().map(Option::name).toList();
        for (String name : said.keySet()) {
            if (!known.contains(name)) {
                throw MonitorException.invalid(object + " does not know '" + name + "'"
                        + advice(name, known)
                        + (known.isEmpty() ? "it takes nothing" : "it takes: " + String.join(", ", known)));
            }
        }
    }

    /** The part of it that some options are about. */
    public Question about(List<Option> options) {
        Map<String, String> some = new HashMap<>(said);
        some.keySet().retainAll(options.stream().map(Option::name).toList());
        return new Question(some);
    }

    /** What was probably meant, and a pause before the rest of the sentence. */
    public static String advice(String typed, Collection<String> names) {
        String advice = NearestName.advice(typed, names);
        return advice.isEmpty() ? "; " : advice + " ";
    }
}

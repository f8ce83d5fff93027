package dev.avocet.server.monitor.table;

import dev.avocet.core.policy.Glob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Says which things of a kind are meant. */
public final class Filter<R> {
    private final Option option;
    private final Function<String, Predicate<R>> meaning;

    private Filter(Option option, Function<String, Predicate<R>> meaning) {
        this.option = option;
        this.meaning = meaning;
    }

    /** A text, in which an asterisk stands for any characters. */
    public static <R> Filter<R> pattern(String name, String description, Function<R, String> text) {
        return new Filter<>(Option.free(name, description + " * stands for any characters."), pattern -> {
            Glob glob = Glob.of(pattern);
            return row -> glob.matches(text.apply(row));
        });
    }

    Option option() {
        return option;
    }

    /** What the question asks for; null when it says nothing about this. */
    @Nullable Predicate<R> of(Question question) throws MonitorException {
        if (option.values().isEmpty()) {
            String pattern = question.get(option.name());
            return pattern == null ? null : meaning.apply(pattern);
        }
        return meaning.apply(option.choose(question));
    }

    /** Begins a choice among words. */
    public static <R> Choice<R> choice(String name, String description) {
        return new Choice<>(name, description);
    }

    /** A choice among words, each for certain things. */
    public static final class Choice<R> {
        private final String name;
        private final String description;
        private final Map<String, Predicate<R>> words = new LinkedHashMap<>();

        private Choice(String name, String description) {
            this.name = name;
            this.description = description;
        }

        /** The first is the default. */
        public Choice<R> with(String word, Predicate<R> meaning) {
            words.put(word, meaning);
            return this;
        }

        public Filter<R> end() {
            List<String> all = new ArrayList<>(words.keySet());
            return new Filter<>(new Option(name, description, all), words::get);
        }
    }
}

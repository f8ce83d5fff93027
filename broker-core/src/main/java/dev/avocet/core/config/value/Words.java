package dev.avocet.core.config.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lists of words, which may be given as a JSON list or, as the reference product does, as one text with commas. */
final class Words {
    private Words() {}

    static List<String> of(Object plain) throws InvalidValueException {
        List<String> words = new ArrayList<>();
        for (Object element : elements(plain)) {
            if (!(element instanceof String word)) {
                throw new InvalidValueException("must hold names in quotes, not " + ValueType.describe(element));
            }
            if (word.isBlank()) {
                throw new InvalidValueException("has an empty name in it; remove the extra comma");
            }
            words.add(word.strip());
        }
        return words;
    }

    private static List<?> elements(Object plain) throws InvalidValueException {
        if (plain instanceof List<?> list) {
            return list;
        }
        if (plain instanceof String text) {
            return Arrays.asList(text.split(",", -1));
        }
        throw new InvalidValueException(
                "must be a list, or text with commas between the names, not " + ValueType.describe(plain));
    }
}

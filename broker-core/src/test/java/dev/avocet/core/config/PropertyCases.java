package dev.avocet.core.config;

import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.value.BooleanValue;
import dev.avocet.core.config.value.ChoiceValue;
import dev.avocet.core.config.value.ChoicesValue;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.config.value.ReferenceValue;
import dev.avocet.core.config.value.ReferencesValue;
import dev.avocet.core.config.value.SecretValue;
import dev.avocet.core.config.value.SizeValue;
import dev.avocet.core.config.value.TextFormat;
import dev.avocet.core.config.value.TextValue;
import dev.avocet.core.config.value.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to give a property, as its description says: values with what is shown of them afterwards, and values to be
 * refused.
 */
final class PropertyCases {
    private static final Set<TextFormat> FREE =
            EnumSet.of(TextFormat.PLAIN, TextFormat.NAME, TextFormat.ID_PATTERN, TextFormat.PATTERN);

    private final Map<Object, Object> accepted = new LinkedHashMap<>();
    private final List<Object> refused = new ArrayList<>();

    private PropertyCases() {}

    static PropertyCases of(Property property) {
        PropertyCases cases = new PropertyCases();
        cases.add(property.type());
        cases.refused.add(Map.of());
        return cases;
    }

    /** Given: shown. */
    Map<Object, Object> accepted() {
        return Collections.unmodifiableMap(accepted);
    }

    List<Object> refused() {
        return Collections.unmodifiableList(refused);
    }

    private void add(ValueType type) {
        if (type instanceof NumberValue number) {
            addNumbers(number);
        } else if (type instanceof SizeValue size) {
            addSizes(size);
        } else if (type instanceof TextValue text) {
            addTexts(text);
        } else if (type instanceof BooleanValue) {
            addTruthValues();
        } else if (type instanceof ChoiceValue choice) {
            choice.words().forEach(word -> accepted.put(word, word));
            refused.addAll(List.of("Nonsense", true, 7L));
        } else if (type instanceof ChoicesValue choices) {
            addChoices(choices);
        } else if (type instanceof SecretValue secret) {
            accepted.put("x".repeat(secret.maxLength()), "********");
            refused.addAll(List.of("x".repeat(secret.maxLength() + 1), 7L));
        } else {
            addReferences(type);
        }
    }

    private void addNumbers(NumberValue number) {
        accepted.put(number.min(), number.min());
        accepted.put(BigInteger.valueOf(number.max()), number.max());
        accepted.put(Long.toString(number.max()), number.max());
        refused.addAll(List.of(
                BigInteger.valueOf(number.min()).subtract(BigInteger.ONE),
                BigInteger.valueOf(number.max()).add(BigInteger.ONE),
                new BigDecimal("1.5"),
                "many",
                "1".repeat(1000),
                true,
                List.of(1L)));
        addUnlimited(number.orUnlimited());
    }

    private void addUnlimited(boolean allowed) {
        if (allowed) {
            accepted.put("unlimited", "unlimited");
            accepted.put("Unlimited", "unlimited");
        } else {
            refused.add("unlimited");
        }
    }

    private void addSizes(SizeValue size) {
        long minKb = size.minBytes() / 1024;
        long maxKb = size.maxBytes() / 1024;
        accepted.put(minKb + "KB", minKb + "KB");
        accepted.put(maxKb + "kb", maxKb + "KB");
        accepted.put(maxKb / 1024 + "MB", maxKb + "KB");
        refused.addAll(
                List.of(minKb - 1 + "KB", maxKb + 1 + "KB", "999999999999GB", "4096", "-1KB", "KB", 4096L, true));
        addUnlimited(size.orUnlimited());
    }

    private void addTexts(TextValue text) {
        String sample = Samples.text(text.format());
        String valid = sample.substring(0, Math.min(sample.length(), text.maxLength()));
        accepted.put(valid, valid);
        if (FREE.contains(text.format())) {
            String longest = "x".repeat(text.maxLength());
            accepted.put(longest, longest);
        }
        refused.addAll(List.of("x".repeat(text.maxLength() + 1), valid + "\u0007", 7L, true, List.of(valid)));
    }

    private void addTruthValues() {
        accepted.putAll(Map.of(true, true, false, false, "True", true, "false", false));
        refused.addAll(List.of("yes", 1L, List.of(true)));
    }

    private void addChoices(ChoicesValue choices) {
        List<String> words = choices.words();
        String all = String.join(",", words);
        words.forEach(word -> accepted.put(word, word));
        accepted.put(words, all);
        accepted.put(all, all);
        accepted.put("All", all);
        refused.addAll(List.of("Nonsense", words.get(0) + ",", List.of(7L), true));
    }

    private void addReferences(ValueType type) {
        refused.addAll(List.of("nothing", 7L, true));
        if (type instanceof ReferencesValue several) {
            refused.add(List.of(7L));
            refused.add(Collections.nCopies(several.max() + 1, "x").stream()
                    .reduce("sample", (names, x) -> names + "," + x + names.length()));
        } else if (!(type instanceof ReferenceValue)) {
            throw new AssertionError("no cases for " + type);
        }
    }
}

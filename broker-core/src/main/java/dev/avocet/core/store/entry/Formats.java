package dev.avocet.core.store.entry;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The formats of properties that the broker's front ends know. Immutable. */
public final class Formats {
    private final Map<Integer, PropertiesFormat> byNumber;

    public Formats(List<PropertiesFormat> formats) {
        byNumber =
                formats.stream().collect(Collectors.toUnmodifiableMap(PropertiesFormat::number, Function.identity()));
    }

    MessageProperties decode(int number, byte[] encoded) throws JournalException {
        PropertiesFormat format = byNumber.get(number);
        if (format == null) {
            throw new JournalException(
                    "stored message properties have format " + number + ", which this broker does not know");
        }
        try {
            return format.decode(encoded);
        } catch (IllegalArgumentException e) {
            throw new JournalException("stored message properties cannot be read: " + e.getMessage());
        }
    }
}

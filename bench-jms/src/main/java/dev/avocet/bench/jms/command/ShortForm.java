package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.plan.ReceiveMode;
import java.util.List;

/** A group of clients as the reference harness writes it: fields with colons between, the last ones optional. */
final class ShortForm {
    private static final int LAYOUT_FIELDS = 6;
    private static final int OPTIONAL_FIELDS = 2;

    private final String option;
    private final List<String> fields;
    private final int nameField;

    private ShortForm(String option, String text, int nameField) {
        this.option = option;
        this.nameField = nameField;
        fields = List.of(text.split(":", -1));
        int most = nameField + LAYOUT_FIELDS;
        if (fields.size() < most - OPTIONAL_FIELDS || fields.size() > most) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "%s '%s' has %d fields: %d to %d, see --help",
                    option,
                    text,
                    fields.size(),
                    most - OPTIONAL_FIELDS,
                    most));
        }
        if (number(0) != -1) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "%s '%s': the first field is the processor, which has to be -1; use taskset", option, text));
        }
    }

    /** {@code cpu:msgsPerCommit:persistent:name:qtps:spc:cpt[:nthrd[:snum]]}. */
    static ShortForm producers(String text) {
        return new ShortForm("-tx", text, 3);
    }

    /** {@code cpu:msgsPerCommit:receiveMode:ackMode:durable:name:qtps:spc:cpt[:nthrd[:snum]]}. */
    static ShortForm consumers(String text) {
        return new ShortForm("-rx", text, 5);
    }

    Layout layout() {
        return new Layout(
                fields.get(nameField),
                number(nameField + 1),
                number(nameField + 2),
                number(nameField + 3),
                optional(nameField + 4, 1),
                optional(nameField + 5, 0));
    }

    boolean isSet(int field) {
        return number(field) != 0;
    }

    ReceiveMode receiveMode(int field) {
        int mode = number(field);
        if (mode < 0 || mode >= ReceiveMode.values().length) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "%s: receive mode %d: 0 blocking, 1 with a timeout, 2 without waiting, 3 listener",
                    option,
                    mode));
        }
        return ReceiveMode.values()[mode];
    }

    int number(int field) {
        try {
            return Integer.parseInt(fields.get(field).strip());
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "%s: field %d, '%s', is not a number", option, field + 1, fields.get(field)));
        }
    }

    private int optional(int field, int otherwise) {
        return field < fields.size() ? number(field) : otherwise;
    }
}

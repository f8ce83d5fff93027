package dev.avocet.server.rest.request;

import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** What a request for a list says behind the question mark. */
public final class ListQuery {
    /** The most that one answer lists. */
    public static final int MOST = 10_000;

    private static final int USUAL = 25;
    private static final int MOST_OFFSET = 100_000;

    private ListQuery() {}

    /** Empty when it is not there. */
    public static String text(Context context, String name) {
        String value = context.queryParam(name);
        return value == null ? "" : value;
    }

    /** Fits everything when it is not there; an asterisk stands for any characters. */
    public static Predicate<String> pattern(Context context, String name) {
        String text = text(context, name);
        return text.isEmpty() ? value -> true : Authorities.pattern(text).asMatchPredicate();
    }

    /** One of the words, of which the first is meant when there is none. */
    public static String choice(Context context, String name, List<String> words) throws Refusal {
        String given = text(context, name);
        if (given.isEmpty()) {
            return words.get(0);
        }
        return words.stream()
                .filter(word -> word.equalsIgnoreCase(given))
                .findFirst()
                .orElseThrow(() -> new Refusal(Code.NOT_UNDERSTOOD, name + " is one of " + String.join(", ", words)));
    }

    public static int resultCount(Context context) throws Refusal {
        String given = text(context, "ResultCount");
        if (given.isEmpty()) {
            return USUAL;
        }
        int count = given.matches("[0-9]{1,5}") ? Integer.parseInt(given) : 0;
        if (count < 1 || count > MOST) {
            throw new Refusal(
                    Code.NOT_UNDERSTOOD, String.format(Locale.ROOT, "ResultCount is 1 to %d, not '%s'", MOST, given));
        }
        return count;
    }

    public static int resultOffset(Context context) throws Refusal {
        String given = text(context, "ResultOffset");
        if (given.isEmpty()) {
            return 0;
        }
        int offset = given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : -1;
        if (offset < 0 || offset > MOST_OFFSET) {
            throw new Refusal(
                    Code.NOT_UNDERSTOOD,
                    String.format(Locale.ROOT, "ResultOffset is 0 to %d, not '%s'", MOST_OFFSET, given));
        }
        return offset;
    }

    public static boolean isSet(Context context, String name) throws Refusal {
        return Boolean.parseBoolean(choice(context, name, List.of("false", "true")));
    }
}

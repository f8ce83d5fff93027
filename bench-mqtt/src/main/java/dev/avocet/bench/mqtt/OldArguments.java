package dev.avocet.bench.mqtt;

import java.util.ArrayList;
import java.util.List;

/** Rewrites options of the reference harness whose form is not one of ours. Stateless. */
final class OldArguments {
    private static final String NUMBER = "\\d+(\\.\\d+)?";

    private OldArguments() {}

    /** {@code -snap connects,msgrates 4} asks for intervals of four seconds; all figures are always in them. */
    static List<String> translate(List<String> arguments) {
        List<String> translated = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean isSnap = argument.equals("--snap") || argument.equals("-snap");
            if (isSnap && i + 1 < arguments.size()) {
                boolean hasKinds = !arguments.get(i + 1).matches(NUMBER);
                int at = hasKinds ? i + 2 : i + 1;
                boolean hasSeconds = at < arguments.size() && arguments.get(at).matches(NUMBER);
                if (hasSeconds) {
                    translated.add("--interval");
                    translated.add(arguments.get(at));
                }
                i = hasSeconds ? at : i + 1;
            } else {
                translated.add(argument);
            }
        }
        return translated;
    }
}

package dev.avocet.admin.print;

import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.Map;

/** Prints members of members for people, with names as the broker has them. */
public final class StatusLines {
    private StatusLines() {}

    public static void print(Map<?, ?> members, String indent, PrintWriter out) {
        int width = members.keySet().stream()
                .mapToInt(name -> String.valueOf(name).length())
                .max()
                .orElse(0);
        members.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                out.println(indent + name);
                print(inner, indent + "  ", out);
            } else {
                String text = String.valueOf(name);
                out.println((indent + text + " ".repeat(width - text.length()) + "  " + Values.text(value))
                        .stripTrailing());
            }
        });
    }
}

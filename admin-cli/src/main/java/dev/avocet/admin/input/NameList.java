package dev.avocet.admin.input;

import java.util.Arrays;
import java.util.List;

/** Names with commas between. */
public final class NameList {
    private NameList() {}

    public static List<String> of(String text) {
        return of(Arrays.asList(text.split(",", -1)));
    }

    /** Without those that are empty. */
    public static List<String> of(List<String> names) {
        return names.stream().map(String::strip).filter(name -> !name.isEmpty()).toList();
    }
}

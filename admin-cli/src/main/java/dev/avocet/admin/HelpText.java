package dev.avocet.admin;

/** Documentation as the library that prints help wants it. */
final class HelpText {
    private HelpText() {}

    /** Without what is code in Markdown, and with what has a meaning for the library taken literally. */
    static String of(String documentation) {
        return documentation
                .replace("`", "")
                .replace("${", "$${")
                .replace("%", "%%")
                .replace("@|", "@ |");
    }
}

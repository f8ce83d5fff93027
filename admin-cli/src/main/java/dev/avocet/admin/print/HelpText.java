package dev.avocet.admin.print;

/** Documentation as the library that prints help wants it. */
public final class HelpText {
    private HelpText() {}

    /** Without what is code in Markdown, and with what has a meaning for the library taken literally. */
    public static String of(String documentation) {
        return documentation
                .replace("`", "")
                .replace("${", "$${")
                .replace("%", "%%")
                .replace("@|", "@ |");
    }
}

package dev.avocet.admin.print;

/** How answers are printed. */
enum OutputFormat {
    /** For people. */
    TABLE,
    /** As the broker gives them, for scripts. */
    JSON
}

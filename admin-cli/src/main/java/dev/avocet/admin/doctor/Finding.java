package dev.avocet.admin.doctor;

/**
 * What a look at one thing has shown.
 *
 * @param subject what was looked at
 * @param found how it is
 * @param advice what to do; empty where nothing has to be done
 */
record Finding(Level level, String subject, String found, String advice) {
    /** How bad it is. */
    enum Level {
        OK,
        WARN,
        FAIL
    }

    static Finding ok(String subject, String found) {
        return new Finding(Level.OK, subject, found, "");
    }

    static Finding warn(String subject, String found, String advice) {
        return new Finding(Level.WARN, subject, found, advice);
    }

    static Finding fail(String subject, String found, String advice) {
        return new Finding(Level.FAIL, subject, found, advice);
    }
}

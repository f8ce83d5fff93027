package dev.avocet.admin;

/** Another administrator changed the configuration between our look at it and our change. */
final class StaleException extends AdminException {
    private static final long serialVersionUID = 1L;

    StaleException(String message) {
        super(ExitCode.CONFLICT, message);
    }
}

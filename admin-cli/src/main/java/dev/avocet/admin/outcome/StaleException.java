package dev.avocet.admin.outcome;

/** Another administrator changed the configuration between our look at it and our change. */
public final class StaleException extends AdminException {
    private static final long serialVersionUID = 1L;

    public StaleException(String message) {
        super(ExitCode.CONFLICT, message);
    }
}

package dev.avocet.server.rest.request;

/**
 * What became of a request, for programs. Codes of the reference product where it has one that means the same.
 */
public enum Code {
    DONE(200, "CWLNA6011"),
    BEGUN(202, "AVCT0202"),
    NOTHING_CLOSED(200, "CWLNA6136"),
    CLOSED(200, "CWLNA6137"),
    INVALID(400, "CWLNA0112"),
    NOT_UNDERSTOOD(400, "AVCT0400"),
    NOT_AUTHENTICATED(401, "CWLNA0181"),
    NOT_AUTHORIZED(403, "CWLNA0180"),
    NOT_FOUND(404, "CWLNA0113"),
    IN_USE(409, "CWLNA0376"),
    ON_STANDBY(409, "CWLNA0388"),
    NOT_AS_CONFIGURED(409, "AVCT0409"),
    STALE(412, "AVCT0412"),
    TOO_LARGE(413, "AVCT0413"),
    TOO_MANY_FAILURES(429, "AVCT0429"),
    NOT_IMPLEMENTED(501, "AVCT0501"),
    NOT_NOW(503, "AVCT0503");

    private final int httpStatus;
    private final String text;

    Code(int httpStatus, String text) {
        this.httpStatus = httpStatus;
        this.text = text;
    }

    /** Whether it says that an administrator lacks a right. */
    public boolean isAboutAccess() {
        return this == NOT_AUTHENTICATED || this == NOT_AUTHORIZED || this == TOO_MANY_FAILURES;
    }

    int httpStatus() {
        return httpStatus;
    }

    @Override
    public String toString() {
        return text;
    }
}

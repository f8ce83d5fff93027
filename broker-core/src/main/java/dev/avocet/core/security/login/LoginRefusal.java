package dev.avocet.core.security.login;

/** Why a client was not let in. */
public enum LoginRefusal {
    /** User name, password or proof are wrong or missing. */
    BAD_CREDENTIALS("credentials are wrong or missing"),
    /** The certificate is not one of this client. */
    WRONG_CERTIFICATE("the common name of the certificate is not the client identifier"),
    /** Too many logins from there have failed, and too many wait for that reason already. */
    TOO_MANY_FAILURES("too many logins from this address have failed"),
    /** More passwords wait to be checked than may; the client may come again. */
    BUSY("more logins wait to be checked than may"),
    /** The server that knows the users cannot be asked; the client may come again. */
    UNAVAILABLE("the server that checks logins does not answer");

    private final String text;

    LoginRefusal(String text) {
        this.text = text;
    }

    /** In words, for the log. */
    public String text() {
        return text;
    }
}

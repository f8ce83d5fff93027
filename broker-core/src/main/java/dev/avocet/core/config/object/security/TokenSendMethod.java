package dev.avocet.core.config.object.security;

/** How a token is sent to the server that is asked about it. */
public enum TokenSendMethod {
    /** As a parameter of the URL. */
    URL_PARAM("URLParam"),
    /** In the header {@code Authorization}. */
    HTTP_HEADER("HTTPHeader"),
    /** As a form. */
    HTTP_POST("HTTPPost");

    private final String word;

    TokenSendMethod(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}

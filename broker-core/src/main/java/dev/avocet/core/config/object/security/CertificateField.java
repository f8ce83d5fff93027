package dev.avocet.core.config.object.security;

/** A part of a client's certificate that names a user. */
public enum CertificateField {
    COMMON_NAME("CommonName"),
    SUBJECT("Subject"),
    EMAIL("Email"),
    DNS_NAME("DNSName"),
    URI("URI");

    private final String word;

    CertificateField(String word) {
        this.word = word;
    }

    /** As it is called in JSON and on the command line. */
    @Override
    public String toString() {
        return word;
    }
}

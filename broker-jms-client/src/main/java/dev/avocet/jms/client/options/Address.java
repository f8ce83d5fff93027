package dev.avocet.jms.client.options;

/** A server's address. */
public record Address(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}

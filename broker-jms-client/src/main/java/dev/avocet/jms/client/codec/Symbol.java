package dev.avocet.jms.client.codec;

/** An AMQP symbol, apart from a string because the type must survive. */
public record Symbol(String name) {
    @Override
    public String toString() {
        return name;
    }
}

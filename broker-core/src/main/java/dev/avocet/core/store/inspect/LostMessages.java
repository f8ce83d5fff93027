package dev.avocet.core.store.inspect;

/**
 * Messages that cannot be read any more.
 *
 * @param whose for people: a subscription of a client, or a topic
 */
public record LostMessages(String whose, long count) {
    @Override
    public String toString() {
        return count + (count == 1 ? " message" : " messages") + " for " + whose;
    }
}

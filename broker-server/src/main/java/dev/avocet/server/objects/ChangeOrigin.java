package dev.avocet.server.objects;

/**
 * Who changes the configuration, for its history. Immutable.
 *
 * @param user name of the administrator; empty for one who was not asked for a name, and for the broker itself
 * @param address where the request comes from; empty when the broker itself makes the change
 * @param action what is done, in a few words, such as {@code change} or {@code rollback to version 3}
 */
public record ChangeOrigin(String user, String address, String action) {
    /** A change that the broker makes itself. */
    public static ChangeOrigin ofBroker(String action) {
        return new ChangeOrigin("", "", action);
    }
}

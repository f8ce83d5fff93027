package dev.avocet.ha;

/**
 * What has become of a wish to have a standby begin with an empty store.
 *
 * @param refused why the store stays, for people; empty when it was put aside
 * @param aside where it is now; empty when it stays
 */
public record Resynced(String refused, String aside) {
    static Resynced refused(String why) {
        return new Resynced(why, "");
    }
}

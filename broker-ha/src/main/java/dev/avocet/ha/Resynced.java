package dev.avocet.ha;

import dev.avocet.ha.log.StoreAside;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has become of a wish to have a standby begin with an empty store.
 *
 * @param refused why the store stays, for people; empty when it was put aside
 * @param aside where it is now; empty when it stays
 */
public record Resynced(String refused, String aside) {
    private static final Logger LOG = LoggerFactory.getLogger(Resynced.class);

    static Resynced refused(String why) {
        return new Resynced(why, "");
    }

    /** Puts the store aside, which is closed. Blocks on the disk. */
    static Resynced putAside(MemberOptions options) {
        try {
            Path aside = StoreAside.put(options.store(), options.clock().wallTimeMs());
            LOG.warn(
                    "The store of this node is in {} now, as an administrator has asked. This node begins with an"
                            + " empty one, and gets all from the active node",
                    aside);
            return new Resynced("", aside.toString());
        } catch (IOException e) {
            LOG.error("The store of this node cannot be put aside. This node goes on with it", e);
            return refused("the store in " + options.store().directory() + " cannot be put aside: " + e
                    + ". This node goes on with it; stop it, move what is in that directory elsewhere, and start it");
        }
    }
}

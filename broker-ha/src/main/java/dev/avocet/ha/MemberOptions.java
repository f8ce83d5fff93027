package dev.avocet.ha;

import dev.avocet.core.store.StoreFiles;
import dev.avocet.core.time.Clock;
import dev.avocet.ha.link.LinkSettings;
import dev.avocet.ha.role.PairSettings;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a broker has to know to be one of a pair.
 *
 * @param group names the pair
 * @param node this node, one of the two brokers among {@code members}
 * @param secret what both nodes know; empty only where all members are on loopback
 * @param store of this node, which no other process has open
 * @param settings times and limits; {@link PairSettings#of} has the defaults
 * @param maxRetainedBytes so much of the log is kept for a standby that is away or behind, at most; 0 for nothing
 */
public record MemberOptions(
        String group,
        String node,
        PairMembers members,
        CoordinatorChoice coordinator,
        byte[] secret,
        StoreFiles store,
        PairSettings settings,
        long maxRetainedBytes,
        Clock clock) {
    public static final long DEFAULT_MAX_RETAINED_BYTES = 8L << 30;

    /** Of a frame with records, more than enough. */
    private static final int FRAME_HEAD_BYTES = 64;

    public MemberOptions {
        if (!settings.self().equals(node) || !settings.partner().equals(members.partnerOf(node))) {
            throw new IllegalArgumentException("the settings are those of " + settings.self() + " and "
                    + settings.partner() + ", not of " + node + " and " + members.partnerOf(node));
        }
        if (secret.length == 0 && !members.areAllOnLoopback()) {
            throw new IllegalArgumentException(
                    "a pair needs a secret unless all members are on loopback: give all members the same secret file");
        }
        if (maxRetainedBytes < 0) {
            throw new IllegalArgumentException("maxRetainedBytes is not negative: " + maxRetainedBytes);
        }
    }

    /** Where the link listens, at this node or at the other one. */
    InetSocketAddress linkAddress() {
        String listener = node.compareTo(settings.partner()) < 0 ? settings.partner() : node;
        return members.link(listener);
    }

    /** @param recordMaxBytes of the largest record that either journal takes */
    LinkSettings link(int recordMaxBytes) {
        LinkSettings usual = LinkSettings.of(group, node, settings.partner(), secret, null);
        int frameMax = Math.max(usual.frameMaxBytes(), recordMaxBytes + FRAME_HEAD_BYTES);
        return new LinkSettings(
                group,
                node,
                settings.partner(),
                secret,
                null,
                Math.max(usual.creditBytes(), frameMax),
                frameMax,
                usual.ping(),
                usual.silence(),
                usual.handshake());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemberOptions that
                && toString().equals(that.toString())
                && Arrays.equals(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return node + " of group " + group + " with " + members + " and " + coordinator + ", " + settings;
    }
}

package dev.avocet.ha;

import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.link.LinkSettings;
import dev.avocet.ha.link.LinkTls;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a broker has to know to be one of a pair.
 *
 * @param group names the pair
 * @param node this node, one of the two brokers among {@code members}
 * @param secret what all members know; may be none where there are certificates, or all members are on loopback
 * @param tls with the other members, closed by who has opened it; null only where all members are on loopback
 * @param versions of the link that this node speaks
 * @param store of this node, which no other process has open
 * @param settings times and limits; {@link PairSettings#of} has the defaults
 * @param maxRetainedBytes so much of the log is kept for a standby that is away or behind, at most; 0 for nothing
 * @param catchUpBytesPerSecond so much is sent in a second, at most, to a standby that no client waits for
 */
public record MemberOptions(
        String group,
        String node,
        PairMembers members,
        CoordinatorChoice coordinator,
        PairSecret secret,
        @Nullable MemberTls tls,
        LinkVersions versions,
        StoreFiles store,
        PairSettings settings,
        long maxRetainedBytes,
        long catchUpBytesPerSecond,
        Clock clock) {
    public static final long DEFAULT_MAX_RETAINED_BYTES = 8L << 30;
    public static final long DEFAULT_CATCH_UP_BYTES = 100L << 20;

    /** Of a frame with records, more than enough. */
    private static final int FRAME_HEAD_BYTES = 64;

    public MemberOptions {
        if (!settings.self().equals(node) || !settings.partner().equals(members.partnerOf(node))) {
            throw new IllegalArgumentException("the settings are those of " + settings.self() + " and "
                    + settings.partner() + ", not of " + node + " and " + members.partnerOf(node));
        }
        if (tls == null && !members.areAllOnLoopback()) {
            throw new IllegalArgumentException("a pair needs a secret or certificates unless all members are on"
                    + " loopback: give all members the same secret file");
        }
        if (maxRetainedBytes < 0) {
            throw new IllegalArgumentException("maxRetainedBytes is not negative: " + maxRetainedBytes);
        }
        if (catchUpBytesPerSecond < 1) {
            throw new IllegalArgumentException("catchUpBytesPerSecond is 1 at least: " + catchUpBytesPerSecond);
        }
    }

    /**
     * So much of the log is kept for the other node, at most.
     *
     * @param starts it starts from a checkpoint, and what is written meanwhile would else be gone before it has it
     */
    long retainedBytes(boolean starts) {
        return starts ? Math.max(maxRetainedBytes, DEFAULT_MAX_RETAINED_BYTES) : maxRetainedBytes;
    }

    /** The same with other settings; who the members are stays. */
    MemberOptions with(PairSettings newSettings, long newMaxRetainedBytes, long newCatchUpBytesPerSecond) {
        return new MemberOptions(
                group,
                node,
                members,
                coordinator,
                secret,
                tls,
                versions,
                store,
                newSettings,
                newMaxRetainedBytes,
                newCatchUpBytesPerSecond,
                clock);
    }

    /** Where the link listens, at this node or at the other one. */
    InetSocketAddress linkAddress() {
        String listener = node.compareTo(settings.partner()) < 0 ? settings.partner() : node;
        return members.link(listener);
    }

    /**
     * @param recordMaxBytes of the largest record that either journal takes
     * @throws IOException when this Java cannot speak TLS as it must
     */
    LinkSettings link(int recordMaxBytes) throws IOException {
        LinkSettings usual = LinkSettings.of(group, node, settings.partner(), secret, linkTls());
        int frameMax = Math.max(usual.frameMaxBytes(), recordMaxBytes + FRAME_HEAD_BYTES);
        return new LinkSettings(
                group,
                node,
                settings.partner(),
                secret,
                usual.tls(),
                versions,
                Math.max(usual.creditBytes(), frameMax),
                frameMax,
                usual.ping(),
                usual.silence(),
                usual.handshake());
    }

    private @Nullable LinkTls linkTls() throws IOException {
        try {
            return tls == null ? null : LinkTls.of(tls, settings.partner());
        } catch (TlsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return node + " of group " + group + " with " + members + " and " + coordinator + ", " + settings;
    }
}

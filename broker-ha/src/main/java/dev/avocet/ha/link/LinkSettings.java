package dev.avocet.ha.link;

import dev.avocet.ha.trust.PairSecret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * @param group names the pair; both nodes have the same
 * @param self this node
 * @param partner the other node
 * @param secret what both nodes know; none where all members are on loopback, or certificates prove who they are
 * @param tls null for a link that is not encrypted, where all members are on loopback
 * @param versions that this node speaks
 * @param creditBytes so many bytes of records may be on the way to this node, or not used yet
 * @param frameMaxBytes no frame is longer
 * @param ping how often something is sent, at least
 * @param silence after so long without a byte the link is taken for broken
 * @param handshake how long the proof may take
 */
public record LinkSettings(
        String group,
        String self,
        String partner,
        PairSecret secret,
        @Nullable LinkTls tls,
        LinkVersions versions,
        int creditBytes,
        int frameMaxBytes,
        Duration ping,
        Duration silence,
        Duration handshake) {
    private static final int NAME_MAX = 128;

    public LinkSettings {
        checkName("group", group);
        checkName("node", self);
        checkName("node", partner);
        if (self.equals(partner)) {
            throw new IllegalArgumentException("A node is not its own partner: " + self);
        }
        if (frameMaxBytes > creditBytes) {
            throw new IllegalArgumentException(
                    "A frame of " + frameMaxBytes + " bytes never fits into a credit of " + creditBytes + " bytes");
        }
    }

    /** The defaults. */
    public static LinkSettings of(String group, String self, String partner, PairSecret secret, @Nullable LinkTls tls) {
        return new LinkSettings(
                group,
                self,
                partner,
                secret,
                tls,
                LinkVersions.ALL,
                16 << 20,
                8 << 20,
                Duration.ofMillis(100),
                Duration.ofMillis(600),
                Duration.ofSeconds(5));
    }

    boolean dials() {
        return self.compareTo(partner) < 0;
    }

    private static void checkName(String what, String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > NAME_MAX) {
            throw new IllegalArgumentException(
                    "The name of a " + what + " has 1 to " + NAME_MAX + " bytes, not " + bytes + ": " + name);
        }
    }

    @Override
    public String toString() {
        return "group " + group + ", " + self + " to " + partner + (tls == null ? "" : ", TLS");
    }
}

package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.trust.MemberTls;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;

/**
 * The group that keeps the register.
 *
 * @param name names the pair
 * @param members where each member's server listens, in the order of the configuration
 * @param arbiter the member that leads the group, so that the loss of a broker needs no election
 * @param timeout of reads and writes
 * @param tls between the members; null only where all are on loopback
 * @param snapshotEvery so many changes are kept in the log before a snapshot takes their place
 */
public record GroupSettings(
        String name,
        Map<String, InetSocketAddress> members,
        String arbiter,
        Duration timeout,
        @Nullable MemberTls tls,
        long snapshotEvery) {
    private static final int ARBITER_PRIORITY = 2;
    private static final long SNAPSHOT_EVERY = 1_000;

    public GroupSettings {
        members = new LinkedHashMap<>(members);
        if (!members.containsKey(arbiter)) {
            throw new IllegalArgumentException("the arbiter " + arbiter + " is not a member: " + members.keySet());
        }
    }

    public GroupSettings(
            String name,
            Map<String, InetSocketAddress> members,
            String arbiter,
            Duration timeout,
            @Nullable MemberTls tls) {
        this(name, members, arbiter, timeout, tls, SNAPSHOT_EVERY);
    }

    RaftGroup group() {
        List<RaftPeer> peers = new ArrayList<>();
        members.forEach((id, address) -> peers.add(RaftPeer.newBuilder()
                .setId(id)
                .setAddress(address)
                .setPriority(id.equals(arbiter) ? ARBITER_PRIORITY : 1)
                .build()));
        UUID id = UUID.nameUUIDFromBytes(("avocet " + name).getBytes(StandardCharsets.UTF_8));
        return RaftGroup.valueOf(RaftGroupId.valueOf(id), peers);
    }

    InetSocketAddress addressOf(String member) {
        InetSocketAddress address = members.get(member);
        if (address == null) {
            throw new IllegalArgumentException(member + " is not a member: " + members.keySet());
        }
        return address;
    }

    String where() {
        return "group " + name + " of " + members.keySet();
    }
}

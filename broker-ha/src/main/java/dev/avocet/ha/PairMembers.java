package dev.avocet.ha;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who belongs to a group: the two brokers, and perhaps an arbiter, which is named last.
 *
 * @param addresses of each member's link, in the order of the configuration; the group's server listens one port above
 */
public record PairMembers(Map<String, InetSocketAddress> addresses) {
    private static final int BROKERS = 2;

    public PairMembers {
        addresses = new LinkedHashMap<>(addresses);
        if (addresses.size() < BROKERS || addresses.size() > BROKERS + 1) {
            throw new IllegalArgumentException(
                    "a pair has two brokers, and an arbiter as the third member at most, not " + addresses.size()
                            + " members: " + addresses.keySet());
        }
    }

    /** The other broker. */
    public String partnerOf(String node) {
        List<String> brokers = brokers();
        if (!brokers.contains(node)) {
            throw new IllegalArgumentException(
                    node + " is not one of the brokers, which are " + brokers.get(0) + " and " + brokers.get(1));
        }
        return brokers.get(node.equals(brokers.get(0)) ? 1 : 0);
    }

    /** The names of the two brokers. */
    public List<String> brokers() {
        return List.copyOf(new ArrayList<>(addresses.keySet()).subList(0, BROKERS));
    }

    /** The name of the member that is no broker. */
    public String arbiter() {
        if (addresses.size() == BROKERS) {
            throw new IllegalArgumentException("there is no arbiter: " + addresses.keySet());
        }
        return new ArrayList<>(addresses.keySet()).get(BROKERS);
    }

    /** Where a member's link listens. */
    public InetSocketAddress link(String member) {
        InetSocketAddress address = addresses.get(member);
        if (address == null) {
            throw new IllegalArgumentException(member + " is not a member: " + addresses.keySet());
        }
        return address;
    }

    /** Where the group's server of each member listens. */
    public Map<String, InetSocketAddress> group() {
        Map<String, InetSocketAddress> servers = new LinkedHashMap<>();
        addresses.forEach(
                (id, link) -> servers.put(id, new InetSocketAddress(link.getHostString(), link.getPort() + 1)));
        return servers;
    }

    /** Whether no address can be reached from another machine. */
    public boolean areAllOnLoopback() {
        return addresses.values().stream()
                .allMatch(address ->
                        !address.isUnresolved() && address.getAddress().isLoopbackAddress());
    }
}

package dev.avocet.ha.trust;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who is who in a group.
 *
 * @param group its name
 * @param self the member that this process is
 * @param hosts the host of each member's address, by the member's name
 */
public record GroupNames(String group, String self, Map<String, String> hosts) {
    public GroupNames {
        hosts = new LinkedHashMap<>(hosts);
        if (!hosts.containsKey(self)) {
            throw new IllegalArgumentException(self + " is not a member: " + hosts.keySet());
        }
    }
}

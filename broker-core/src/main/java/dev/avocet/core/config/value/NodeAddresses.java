package dev.avocet.core.config.value;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where clients reach the nodes of a pair, by node.
 *
 * @param byNode of each node that has one; port 0 for the port that the client knows
 */
public record NodeAddresses(Map<String, ServerAddress> byNode) {
    private static final String SAMPLE_PORT = ":1";

    public NodeAddresses {
        byNode = Map.copyOf(byNode);
    }

    /** Reads {@code ID=HOST:PORT,ID=HOST}; an IPv6 address stands in brackets. The empty text names no node. */
    public static NodeAddresses parse(String text) throws InvalidValueException {
        Map<String, ServerAddress> all = new LinkedHashMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new InvalidValueException(
                        "'" + each + "' names no node; write ID=HOST or ID=HOST:PORT, such as a=mq1.example.com:1883");
            }
            String node = each.substring(0, equals).strip();
            if (all.put(node, address(each.substring(equals + 1).strip())) != null) {
                throw new InvalidValueException("node " + node + " is named twice; give each node one address");
            }
        }
        return new NodeAddresses(all);
    }

    private static ServerAddress address(String text) throws InvalidValueException {
        boolean hasPort = text.lastIndexOf(':') > text.lastIndexOf(']');
        return hasPort
                ? ServerAddress.parse(text)
                : new ServerAddress(ServerAddress.parse(text + SAMPLE_PORT).host(), 0);
    }

    /**
     * Where a client has to go.
     *
     * @param host of the node where none is given here
     * @param port that the client has come to
     */
    public ServerAddress of(String node, String host, int port) {
        ServerAddress given = byNode.getOrDefault(node, new ServerAddress(host, 0));
        return given.port() == 0 ? new ServerAddress(given.host(), port) : given;
    }
}

package dev.avocet.server;

import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.CoordinatorChoice;
import dev.avocet.ha.PairMembers;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.StartException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * How a process takes part in a pair, as the command line says.
 *
 * @param group names the pair
 * @param node which of the members this process is
 * @param members the two brokers, and the arbiter where there is one
 * @param place where the register lies
 * @param credentials none where all members are on loopback and no file is named
 * @param tuning how patient the pair is, and what it insists on
 */
record PairConfig(
        String group, String node, PairMembers members, Place place, Credentials credentials, PairTuning tuning) {
    private static final String RATIS = "ratis";
    private static final String ZOOKEEPER = "zookeeper:";
    private static final String FILE = "file:";
    private static final int WITH_ARBITER = 3;
    private static final int LARGEST_PORT = 65_534;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * Where the register lies; the group's files are in the data directory.
     *
     * @param text as the command line names it
     */
    record Place(String text, Function<Path, CoordinatorChoice> choice) {
        CoordinatorChoice in(Path dataDirectory) {
            return choice.apply(dataDirectory);
        }
    }

    /** Of a broker; refused when it would not work, with a message that says what to do. */
    static PairConfig ofBroker(
            String group, String node, String members, @Nullable String coordinator, PairCredentials proofs)
            throws StartException {
        PairMembers known = members(group, node, members);
        if (!known.brokers().contains(node)) {
            throw unusable("--ha-node " + node + " is the arbiter, as it is named last in --ha-members; start it with"
                    + " bin/arbiter, or name a broker: " + String.join(" or ", known.brokers()));
        }
        Place place = place(coordinator == null ? RATIS : coordinator, known);
        return new PairConfig(group, node, known, place, proofs.read(known), PairTuning.NONE);
    }

    /** Of the arbiter. */
    static PairConfig ofArbiter(String group, String node, String members, PairCredentials proofs)
            throws StartException {
        PairMembers known = members(group, node, members);
        requireArbiter(known);
        if (!known.arbiter().equals(node)) {
            throw unusable("--ha-node " + node + " is a broker; the arbiter is the member that is named last in"
                    + " --ha-members: " + known.arbiter());
        }
        return new PairConfig(group, node, known, place(RATIS, known), proofs.read(known), PairTuning.NONE);
    }

    PairConfig with(PairTuning chosen) {
        return new PairConfig(group, node, members, place, credentials, chosen);
    }

    /** What is of this node, by the names of the properties of the object HighAvailability. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("EnableHA", true);
        shown.put("Group", group);
        shown.put("NodeID", node);
        shown.put(
                "Members",
                members.addresses().entrySet().stream()
                        .map(member -> member.getKey() + "=" + HostAndPort.show(member.getValue()))
                        .collect(Collectors.joining(",")));
        shown.put("Coordinator", place.text());
        shown.put("UseSecuredConnections", !credentials.areNone());
        shown.putAll(tuning.given());
        shown.put("SetByOptions", String.join(",", tuning.given().keySet()));
        return shown;
    }

    static StartException unusable(String why) {
        return new StartException(ExitCode.USAGE, why);
    }

    private static PairMembers members(String group, String node, String text) throws StartException {
        requireName("--ha-group", group);
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (String member : text.split(",", -1)) {
            int equals = member.indexOf('=');
            if (equals < 0) {
                throw unusable("--ha-members: '" + member + "' is not a member; write ID=HOST:PORT, such as"
                        + " a=10.0.0.1:7800, for both brokers and last for the arbiter");
            }
            String id = member.substring(0, equals);
            requireName("--ha-members", id);
            if (addresses.put(id, address(member.substring(equals + 1))) != null) {
                throw unusable("--ha-members names " + id + " twice; give each member an ID of its own");
            }
        }
        if (!addresses.containsKey(node)) {
            throw unusable("--ha-node " + node + " is not one of --ha-members, which are "
                    + String.join(", ", addresses.keySet()));
        }
        try {
            return new PairMembers(addresses);
        } catch (IllegalArgumentException e) {
            throw unusable("--ha-members: " + e.getMessage());
        }
    }

    private static InetSocketAddress address(String text) throws StartException {
        try {
            HostAndPort parsed = HostAndPort.parse(text);
            if (parsed.port() < 1 || parsed.port() > LARGEST_PORT) {
                throw unusable("--ha-members: port " + parsed.port() + " of '" + text + "' is not one of 1 to "
                        + LARGEST_PORT + "; the port above it is used too");
            }
            return new InetSocketAddress(parsed.host(), parsed.port());
        } catch (TypeConversionException e) {
            throw unusable("--ha-members: " + e.getMessage());
        }
    }

    private static void requireName(String option, String name) throws StartException {
        if (!NAME.matcher(name).matches()) {
            throw unusable(option + ": '" + name + "' is not a name; use up to 64 letters, digits, '.', '_' and '-'");
        }
    }

    private static Place place(String text, PairMembers members) throws StartException {
        if (text.equals(RATIS)) {
            requireArbiter(members);
            return new Place(text, data -> new CoordinatorChoice.Group(data.resolve("pair")));
        }
        if (text.startsWith(ZOOKEEPER) && text.length() > ZOOKEEPER.length()) {
            String servers = text.substring(ZOOKEEPER.length());
            return new Place(text, data -> new CoordinatorChoice.ZooKeeper(servers));
        }
        if (text.startsWith(FILE) && text.length() > FILE.length()) {
            Path directory = Path.of(text.substring(FILE.length())).toAbsolutePath();
            return new Place(text, data -> new CoordinatorChoice.SharedDirectory(directory));
        }
        throw unusable("--ha-coordinator " + text + " is not one of ratis, zookeeper:HOST:PORT,..., file:DIR");
    }

    private static void requireArbiter(PairMembers members) throws StartException {
        if (members.addresses().size() < WITH_ARBITER) {
            throw unusable(
                    "--ha-coordinator ratis needs an arbiter as the third of --ha-members: run bin/arbiter there,"
                            + " or use zookeeper:HOST:PORT,... or file:DIR, which need none");
        }
    }

    /** Opens what the members prove themselves with; null where they need nothing. Blocks on the disk. */
    @Nullable MemberTls openTls() throws StartException {
        Map<String, String> hosts = new LinkedHashMap<>();
        members.addresses().forEach((member, address) -> hosts.put(member, address.getHostString()));
        try {
            return MemberTls.open(credentials, new GroupNames(group, node, hosts), new SystemClock());
        } catch (TlsException e) {
            throw unusable("the pair's certificates cannot be used: " + e.getMessage());
        }
    }
}

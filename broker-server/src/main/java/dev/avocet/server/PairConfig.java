package dev.avocet.server;

import dev.avocet.ha.CoordinatorChoice;
import dev.avocet.ha.PairMembers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * How a process takes part in a pair, as the command line says.
 *
 * @param group names the pair
 * @param node which of the members this process is
 * @param members the two brokers, and the arbiter where there is one
 * @param place where the register lies
 * @param secret empty where all members are on loopback and no file is named
 * @param tuning how patient the pair is, and what it insists on
 */
record PairConfig(String group, String node, PairMembers members, Place place, byte[] secret, PairTuning tuning) {
    private static final String RATIS = "ratis";
    private static final String ZOOKEEPER = "zookeeper:";
    private static final String FILE = "file:";
    private static final int WITH_ARBITER = 3;
    private static final int LARGEST_PORT = 65_534;
    private static final int SHORTEST_SECRET_BYTES = 16;
    private static final int LONGEST_SECRET_BYTES = 4_096;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** Where the register lies; the group's files are in the data directory. */
    @FunctionalInterface
    interface Place {
        CoordinatorChoice in(Path dataDirectory);
    }

    /** Of a broker; refused when it would not work, with a message that says what to do. */
    static PairConfig ofBroker(
            String group, String node, String members, @Nullable String coordinator, @Nullable Path secretFile)
            throws StartException {
        PairMembers known = members(group, node, members);
        if (!known.brokers().contains(node)) {
            throw unusable("--ha-node " + node + " is the arbiter, as it is named last in --ha-members; start it with"
                    + " bin/arbiter, or name a broker: " + String.join(" or ", known.brokers()));
        }
        Place place = place(coordinator == null ? RATIS : coordinator, known);
        return new PairConfig(group, node, known, place, secret(secretFile, known), PairTuning.DEFAULT);
    }

    /** Of the arbiter, which needs no secret. */
    static PairConfig ofArbiter(String group, String node, String members) throws StartException {
        PairMembers known = members(group, node, members);
        requireArbiter(known);
        if (!known.arbiter().equals(node)) {
            throw unusable("--ha-node " + node + " is a broker; the arbiter is the member that is named last in"
                    + " --ha-members: " + known.arbiter());
        }
        return new PairConfig(group, node, known, place(RATIS, known), new byte[0], PairTuning.DEFAULT);
    }

    PairConfig with(PairTuning chosen) {
        return new PairConfig(group, node, members, place, secret, chosen);
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
                throw unusable("--ha-members: '" + member + "' is no member; write ID=HOST:PORT, such as"
                        + " a=10.0.0.1:7800, for both brokers and last for the arbiter");
            }
            String id = member.substring(0, equals);
            requireName("--ha-members", id);
            if (addresses.put(id, address(member.substring(equals + 1))) != null) {
                throw unusable("--ha-members names " + id + " twice; give each member an ID of its own");
            }
        }
        if (!addresses.containsKey(node)) {
            throw unusable("--ha-node " + node + " is none of --ha-members, which are "
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
                throw unusable("--ha-members: port " + parsed.port() + " of '" + text + "' is none of 1 to "
                        + LARGEST_PORT + "; the port above it is used too");
            }
            return new InetSocketAddress(parsed.host(), parsed.port());
        } catch (TypeConversionException e) {
            throw unusable("--ha-members: " + e.getMessage());
        }
    }

    private static void requireName(String option, String name) throws StartException {
        if (!NAME.matcher(name).matches()) {
            throw unusable(option + ": '" + name + "' is no name; use up to 64 letters, digits, '.', '_' and '-'");
        }
    }

    private static Place place(String text, PairMembers members) throws StartException {
        if (text.equals(RATIS)) {
            requireArbiter(members);
            return data -> new CoordinatorChoice.Group(data.resolve("pair"));
        }
        if (text.startsWith(ZOOKEEPER) && text.length() > ZOOKEEPER.length()) {
            String servers = text.substring(ZOOKEEPER.length());
            return data -> new CoordinatorChoice.ZooKeeper(servers);
        }
        if (text.startsWith(FILE) && text.length() > FILE.length()) {
            Path directory = Path.of(text.substring(FILE.length())).toAbsolutePath();
            return data -> new CoordinatorChoice.SharedDirectory(directory);
        }
        throw unusable("--ha-coordinator " + text + " is none of ratis, zookeeper:HOST:PORT,..., file:DIR");
    }

    private static void requireArbiter(PairMembers members) throws StartException {
        if (members.addresses().size() < WITH_ARBITER) {
            throw unusable(
                    "--ha-coordinator ratis needs an arbiter as the third of --ha-members: run bin/arbiter there,"
                            + " or use zookeeper:HOST:PORT,... or file:DIR, which need none");
        }
    }

    private static byte[] secret(@Nullable Path file, PairMembers members) throws StartException {
        if (file == null) {
            if (!members.areAllOnLoopback()) {
                throw unusable("--ha-secret-file is required, as not all members are on loopback; write the same"
                        + " random text into a file on both brokers, for example with"
                        + " 'openssl rand -hex 32', and let only their user read it");
            }
            return new byte[0];
        }
        try {
            long size = Files.size(file);
            byte[] text = size > LONGEST_SECRET_BYTES ? new byte[0] : stripped(Files.readAllBytes(file));
            if (text.length < SHORTEST_SECRET_BYTES) {
                throw unusable("--ha-secret-file " + file + " holds no secret of " + SHORTEST_SECRET_BYTES + " to "
                        + LONGEST_SECRET_BYTES + " bytes; make one with 'openssl rand -hex 32'");
            }
            return text;
        } catch (IOException e) {
            throw unusable("--ha-secret-file " + file + " cannot be read: " + e);
        }
    }

    /** Without the end of the line that editors add. */
    private static byte[] stripped(byte[] text) {
        int end = text.length;
        while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r')) {
            end--;
        }
        return Arrays.copyOf(text, end);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PairConfig that
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
        return node + " of group " + group + " with " + members + ", " + tuning;
    }
}

package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.coordination.CoordinationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A member of a group in a JVM of its own, so that it can be killed. */
final class MemberProcess {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int FIRST_MEMBER = 2;
    /** Printed when the member takes part. */
    static final String STARTED = "started";

    private MemberProcess() {}

    /**
     * Starts the process; it ends when this JVM does, at the latest. {@link #output} holds what it prints.
     */
    static Process start(GroupSettings settings, String member, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcess.class.getName(),
                member,
                directory.toString()));
        settings.members().forEach((id, address) -> command.add(id + "=" + address.getPort()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(output(directory).toFile()))
                .start();
    }

    /** Holds all that the processes with that directory have printed. */
    static Path output(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    /** The member, its directory, all members with their ports; the last one is the arbiter. */
    public static void main(String[] arguments) throws CoordinationException, IOException {
        Map<String, InetSocketAddress> members = new LinkedHashMap<>();
        String arbiter = "";
        for (int i = FIRST_MEMBER; i < arguments.length; i++) {
            int name = arguments[i].indexOf('=');
            arbiter = arguments[i].substring(0, name);
            int port = Integer.parseInt(arguments[i].substring(name + 1));
            members.put(arbiter, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        GroupSettings settings = new GroupSettings("pair", members, arbiter, TIMEOUT, null);
        try (GroupMember member = GroupMember.start(settings, arguments[0], Path.of(arguments[1]))) {
            System.out.println(STARTED);
            while (System.in.read() >= 0) {
                assert member != null; // until the process that has started this one ends
            }
        }
    }
}

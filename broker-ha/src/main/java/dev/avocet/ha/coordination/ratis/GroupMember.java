package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator.Watch;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.Watches;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * This process as a member of the group: its vote, and its copy of the register. The arbiter is nothing but such a
 * member. Thread-safe.
 */
public final class GroupMember implements AutoCloseable {
    private static final TimeDuration ELECTION_MIN = TimeDuration.valueOf(500, TimeUnit.MILLISECONDS);
    private static final TimeDuration ELECTION_MAX = TimeDuration.valueOf(1_000, TimeUnit.MILLISECONDS);
    private static final String LOG_FILE_BYTES = "256KB";
    private static final String APPEND_BYTES = "64KB";
    private static final String LOG_BUFFER_BYTES = "128KB";
    /** The library wants room for 1 MiB beside what is appended; a register is less than a KiB. */
    private static final String MESSAGE_BYTES = "2MB";

    private final RaftServer server;
    private final GroupDoor door;
    private final RegisterStateMachine register;
    private final Watches watches;
    private final String member;
    private final GroupSettings settings;

    private GroupMember(
            RaftServer server,
            GroupDoor door,
            RegisterStateMachine register,
            Watches watches,
            String member,
            GroupSettings settings) {
        this.server = server;
        this.door = door;
        this.register = register;
        this.watches = watches;
        this.member = member;
        this.settings = settings;
    }

    /**
     * Starts the member, and does not wait for the others. Blocks on the disk.
     *
     * @param directory where it keeps its log and its snapshots
     */
    public static GroupMember start(GroupSettings settings, String member, Path directory)
            throws CoordinationException {
        Watches watches = new Watches();
        RegisterStateMachine register = new RegisterStateMachine(watches::tell);
        InetSocketAddress address = settings.addressOf(member);
        GroupDoor door = new GroupDoor(settings.tls());
        String group = settings.group().getGroupId().getUuid().toString();
        try {
            boolean isNew = new GroupFiles(directory.resolve(group)).makeNewUnlessBegun();
            RaftServer server = RaftServer.newBuilder()
                    .setServerId(RaftPeerId.valueOf(member))
                    .setGroup(settings.group())
                    .setStateMachine(register)
                    .setOption(isNew ? StartupOption.FORMAT : StartupOption.RECOVER)
                    .setProperties(properties(settings, address, directory))
                    .setParameters(GroupTls.parameters(settings.tls(), door))
                    .build();
            server.start();
            return new GroupMember(server, door, register, watches, member, settings);
        } catch (IOException | CompletionException e) { // the second one where its files cannot be used
            door.close();
            throw new CoordinationException(
                    "The member " + member + " of " + settings.where() + " does not start at " + address + ": "
                            + e.getMessage() + ". Check its address and its directory " + directory + ".",
                    e);
        }
    }

    private static RaftProperties properties(GroupSettings settings, InetSocketAddress address, Path directory) {
        RaftProperties properties = new RaftProperties();
        GroupTransport.choose(properties);
        GrpcConfigKeys.Server.setHost(properties, address.getHostString());
        GrpcConfigKeys.Server.setPort(properties, address.getPort());
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(MESSAGE_BYTES));
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, ELECTION_MIN);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, ELECTION_MAX);
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, settings.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, Math.toIntExact(settings.snapshotEvery()));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(LOG_FILE_BYTES));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(APPEND_BYTES));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(LOG_BUFFER_BYTES));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(APPEND_BYTES));
        return properties;
    }

    /** What this member has heard of, which may be old. */
    public Register known() {
        return register.known();
    }

    /** Whether this member leads the group, which says nothing about who leads the pair. */
    public boolean leadsGroup() {
        try {
            return server.getDivision(settings.group().getGroupId()).getInfo().isLeader();
        } catch (IOException e) {
            return false; // closed
        }
    }

    Watch watch(Consumer<Register> listener) {
        Watch watch = watches.add(listener);
        watches.tell(register.known());
        return watch;
    }

    /** What a client of the group needs to know beside the settings. */
    Parameters parameters() {
        return GroupTls.parameters(settings.tls(), door);
    }

    GroupSettings settings() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            door.close();
        }
    }

    @Override
    public String toString() {
        return member + " of " + settings.where();
    }
}

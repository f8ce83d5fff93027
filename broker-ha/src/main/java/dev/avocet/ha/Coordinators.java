package dev.avocet.ha;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.file.FileCoordinator;
import dev.avocet.ha.coordination.ratis.GroupCoordinator;
import dev.avocet.ha.coordination.ratis.GroupMember;
import dev.avocet.ha.coordination.ratis.GroupSettings;
import dev.avocet.ha.coordination.zookeeper.ZooKeeperCoordinator;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the coordinator that was chosen. */
final class Coordinators {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinators.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private Coordinators() {}

    /** Blocks on the disk. */
    static Coordinator open(MemberOptions options) throws CoordinationException {
        CoordinatorChoice choice = options.coordinator();
        if (choice instanceof CoordinatorChoice.Group group) {
            GroupSettings settings = new GroupSettings(
                    options.group(),
                    options.members().group(),
                    options.members().arbiter(),
                    TIMEOUT,
                    options.tls());
            GroupMember member = GroupMember.start(settings, options.node(), group.directory());
            return new OfGroup(member, GroupCoordinator.of(member));
        }
        if (choice instanceof CoordinatorChoice.ZooKeeper zooKeeper) {
            return ZooKeeperCoordinator.open(zooKeeper.servers(), options.group(), TIMEOUT);
        }
        CoordinatorChoice.SharedDirectory shared = (CoordinatorChoice.SharedDirectory) choice;
        return FileCoordinator.open(shared.directory(), TIMEOUT);
    }

    /** With the member of the group that belongs to it. */
    private record OfGroup(GroupMember member, GroupCoordinator coordinator) implements Coordinator {
        @Override
        public CompletionStage<Register> read() {
            return coordinator.read();
        }

        @Override
        public CompletionStage<CasResult> compareAndSet(Register expected, Register next) {
            return coordinator.compareAndSet(expected, next);
        }

        @Override
        public Watch watch(Consumer<Register> listener) {
            return coordinator.watch(listener);
        }

        @Override
        public void close() {
            coordinator.close();
            try {
                member.close();
            } catch (IOException e) {
                LOG.warn("{} was not closed: {}", member, e.toString());
            }
        }
    }
}

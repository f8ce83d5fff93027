package dev.avocet.ha.coordination.zookeeper;

import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.CoordinatorContract;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;

final class ZooKeeperCoordinatorTest extends CoordinatorContract {
    private @Nullable TestingServer server;

    @Override
    protected List<Coordinator> open() throws Exception {
        server = new TestingServer(true);
        String address = server.getConnectString();
        return List.of(
                ZooKeeperCoordinator.open(address, "pair", TIMEOUT),
                ZooKeeperCoordinator.open(address, "pair", TIMEOUT),
                ZooKeeperCoordinator.open(address, "pair", TIMEOUT));
    }

    @Override
    protected void cutOff() throws Exception {
        server.stop();
    }

    @Override
    protected void bringBack() throws Exception {
        server.restart();
    }

    @Override
    protected void shutDown() throws Exception {
        server.close();
    }
}

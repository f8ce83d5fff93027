package dev.avocet.ha.coordination.zookeeper;

import dev.avocet.ha.coordination.Answers;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.RegisterCodec;
import dev.avocet.ha.coordination.Watches;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the register as the data of one persistent node of ZooKeeper, changed under its version. Sessions and ephemeral
 * nodes play no part: a leader whose session has ended keeps its role until another node has written the register.
 */
public final class ZooKeeperCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);
    private static final int RETRY_MS = 100;
    private static final int LOOK_AGAIN_MS = 1_000;

    private final CuratorFramework client;
    private final String path;
    private final Answers answers;
    private final Watches watches = new Watches();
    private final CuratorWatcher watcher = event -> look();
    private volatile boolean closed;

    private ZooKeeperCoordinator(CuratorFramework client, String path, Answers answers) {
        this.client = client;
        this.path = path;
        this.answers = answers;
    }

    /**
     * Connects, now or as soon as there is a server.
     *
     * @param servers {@code HOST:PORT,HOST:PORT}
     * @param group names the pair
     */
    public static ZooKeeperCoordinator open(String servers, String group, Duration timeout) {
        int timeoutMs = Math.toIntExact(timeout.toMillis());
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(Math.max(4 * timeoutMs, 4_000))
                .connectionTimeoutMs(timeoutMs)
                .retryPolicy(new RetryOneTime(RETRY_MS))
                .build();
        ZooKeeperCoordinator coordinator = new ZooKeeperCoordinator(
                client, "/avocet/" + group + "/register", new Answers(timeout, "ZooKeeper " + servers));
        client.getConnectionStateListenable().addListener((connection, state) -> {
            if (state == ConnectionState.CONNECTED || state == ConnectionState.RECONNECTED) {
                coordinator.look();
            } else {
                LOG.warn("The connection to ZooKeeper {} is {}", servers, state);
            }
        });
        client.start();
        return coordinator;
    }

    @Override
    public CompletionStage<Register> read() {
        return answers.ask(() -> {
            client.sync().forPath(path); // a server that lags behind would answer with an older value
            return readNow(new Stat());
        });
    }

    @Override
    public CompletionStage<CasResult> compareAndSet(Register expected, Register next) {
        return answers.ask(() -> {
            Stat stat = new Stat();
            Register current = readNow(stat);
            if (!current.equals(expected) || !next.mayFollow(current)) {
                return CasResult.of(current, next);
            }
            try {
                write(current, next, stat.getVersion());
                return new CasResult.Written(next);
            } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
                // Another writer was quicker, or the first attempt of a call that Curator repeated.
                return CasResult.of(readNow(new Stat()), next);
            }
        });
    }

    @Override
    public Watch watch(Consumer<Register> listener) {
        Watch watch = watches.add(listener);
        look();
        return watch;
    }

    @Override
    public void close() {
        closed = true;
        answers.close();
        client.close();
    }

    private void write(Register current, Register next, int version) throws Exception {
        byte[] bytes = RegisterCodec.encode(next);
        if (current.revision() == 0) {
            client.create().creatingParentsIfNeeded().forPath(path, bytes);
        } else {
            client.setData().withVersion(version).forPath(path, bytes);
        }
    }

    private Register readNow(Stat stat) throws Exception {
        try {
            return RegisterCodec.decode(client.getData().storingStatIn(stat).forPath(path));
        } catch (KeeperException.NoNodeException e) {
            return Register.NONE;
        }
    }

    /** Reads what is there and asks to hear of the next change. Each event of ZooKeeper comes once. */
    private void look() {
        if (closed) {
            return;
        }
        answers.ask(this::readAndWatch).whenComplete((register, failure) -> {
            if (failure == null) {
                watches.tell(register);
            } else if (!closed) {
                LOG.warn("The register at {} cannot be watched: {}", path, failure.getMessage());
                CompletableFuture.delayedExecutor(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)
                        .execute(this::look);
            }
        });
    }

    private Register readAndWatch() throws Exception {
        if (client.checkExists().usingWatcher(watcher).forPath(path) == null) {
            return Register.NONE;
        }
        try {
            return RegisterCodec.decode(client.getData().usingWatcher(watcher).forPath(path));
        } catch (KeeperException.NoNodeException e) {
            throw new CoordinationException("The register at " + path + " was deleted", e);
        }
    }
}

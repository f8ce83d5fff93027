package dev.avocet.server.jms;

import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.testkit.FreePort;
import java.nio.file.Path;

/** The broker with a store, on a port that it keeps when it is started again. */
final class ServerUnderTest implements AutoCloseable {
    private final Path data;
    private final int port;
    private RunningBroker broker;

    ServerUnderTest(Path data) throws Exception {
        this.data = data;
        this.port = FreePort.next();
        broker = start();
    }

    String url() {
        return "avocet://127.0.0.1:" + port;
    }

    /** For what an administrator does. */
    RunningBroker broker() {
        return broker;
    }

    /** Goes, and comes back with what it has stored. */
    void restart() throws Exception {
        broker.close();
        broker = start();
    }

    @Override
    public void close() {
        broker.close();
    }

    private RunningBroker start() throws Exception {
        String configuration = "{\"store\": {\"mode\": \"sync\", \"segmentBytes\": 4194304},"
                + " \"endpoints\": [{\"name\": \"all\", \"host\": \"127.0.0.1\", \"port\": " + port + "}]}";
        return OneBroker.start(ConfigurationFile.parse(configuration), data, failure -> {});
    }
}

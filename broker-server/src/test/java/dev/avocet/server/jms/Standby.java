package dev.avocet.server.jms;

import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.testkit.FreePort;
import java.nio.file.Path;

/** A node whose port is closed until it takes over; it begins without messages. */
final class Standby implements AutoCloseable {
    private final int port;
    private RunningBroker broker;

    Standby() throws Exception {
        port = FreePort.next();
    }

    int port() {
        return port;
    }

    void takeOver() {
        String configuration = "{\"store\": {\"mode\": \"memory\"},"
                + " \"endpoints\": [{\"name\": \"all\", \"host\": \"127.0.0.1\", \"port\": " + port + "}]}";
        try {
            broker = OneBroker.start(ConfigurationFile.parse(configuration), Path.of("."), failure -> {});
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        if (broker != null) {
            broker.close();
        }
    }
}

package dev.avocet.bench.mqtt;

import dev.avocet.bench.brokerside.AvocetInspection;
import dev.avocet.bench.run.Inspection;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the broker's own figures are. */
final class BrokerOptions {
    @Option(
            names = "--broker-stats",
            paramLabel = "URL",
            description = {
                "Avocet's address for monitoring, such as http://127.0.0.1:9089: its own figures before and after, and the high-water marks"
                        + " of its fullest subscriptions, stand in the result; what it discarded, rejected or still buffers is a fault"
            })
    private @Nullable URI address;

    @Option(names = "--broker-stats-user", description = "who may look at them")
    private @Nullable String user;

    @Option(
            names = "--broker-stats-password",
            defaultValue = "${env:MQTTBENCH_STATS_PASSWORD}",
            description = "better in MQTTBENCH_STATS_PASSWORD, which others cannot see")
    private @Nullable String password;

    Inspection inspection() {
        if (address == null) {
            return Inspection.NONE;
        }
        if (address.getScheme() == null || address.getHost() == null) {
            throw new IllegalArgumentException(
                    "--broker-stats is an address such as http://127.0.0.1:9089, not " + address);
        }
        return new AvocetInspection(address, user, password);
    }
}

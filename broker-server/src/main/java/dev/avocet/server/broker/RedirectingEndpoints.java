package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.options.BrokerValues;
import dev.avocet.server.broker.options.ConfigurationUse;
import dev.avocet.server.broker.options.CoreOptions;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;

/**
 * The endpoints of a broker without the broker: each client that comes is told where another one is. No client is asked
 * who it is, and nothing is kept of it. Opened and closed by one thread; it may not be open at the same time as a
 * broker instance that listens at the same addresses.
 */
final class RedirectingEndpoints implements InstanceOpener.Redirection {
    private final LoopGroup loops;
    private final BrokerSecurity security;
    private final ConfigurationUse following;
    private final InstanceEndpoints endpoints;

    private RedirectingEndpoints(
            InstancePlan plan,
            BrokerProcess process,
            LoopGroup loops,
            BrokerSecurity security,
            ConfigurationStore objects,
            Elsewhere elsewhere) {
        ServerConfig config = plan.config();
        this.loops = loops;
        this.security = security;
        Broker empty =
                new Broker(CoreOptions.broker(config), CoreOptions.transactions(config.limits()), loops.loops(), null);
        this.endpoints = new InstanceEndpoints(
                config,
                empty,
                loops,
                process.connections(),
                security,
                () -> CoreOptions.mqtt(config.mqtt()),
                unwanted -> 0,
                UploadedFiles.of(plan.dataDirectory()).folder(),
                process.clock(),
                elsewhere);
        this.following = new ConfigurationUse(objects, LiveUse.NONE);
    }

    /** Returns when the endpoints listen. When one of the startup file cannot, nothing is left. */
    static RedirectingEndpoints open(
            InstancePlan plan,
            BrokerProcess process,
            ConfigurationStore objects,
            boolean objectsListen,
            Elsewhere elsewhere)
            throws CannotListenException, CannotSecureException, ConfigurationStoreException {
        ServerConfig config = plan.config();
        BrokerSecurity security = BrokerSecurity.open(
                config.security(), config.endpoints(), plan.dataDirectory(), plan.tickets(), process.clock());
        LoopGroup loops = process.newLoops(OutputLease.ALWAYS);
        RedirectingEndpoints opened = new RedirectingEndpoints(plan, process, loops, security, objects, elsewhere);
        try {
            if (plan.listens()) {
                opened.endpoints.listen();
            }
            opened.following.follow(
                    (before, after) -> process.connections().limits(BrokerValues.connections(config, after)));
            opened.endpoints.follow(opened.following, objectsListen);
            return opened;
        } catch (CannotListenException | ConfigurationStoreException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public void close() {
        following.close();
        endpoints.close();
        loops.close();
        security.close();
    }
}

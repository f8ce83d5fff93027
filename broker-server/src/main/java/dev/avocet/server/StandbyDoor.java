package dev.avocet.server;

import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.object.server.StandbyAnswers;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.NodeAddresses;
import dev.avocet.core.config.value.ServerAddress;
import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.ha.PairStatus;
import dev.avocet.server.broker.Elsewhere;
import dev.avocet.server.broker.InstanceOpener;
import dev.avocet.server.broker.InstancePlan;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of a standby: closed, or open to send clients to the active node, as the object HighAvailability says.
 * Where no active node is known they are closed. Of the thread that calls the host of the pair, and closed when that
 * has ended.
 */
final class StandbyDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyDoor.class);

    private final InstanceOpener opener;
    private final Launch launch;
    private final PairConfig pair;
    private final ConfigurationStore objects;
    private String leader = "";
    private @Nullable Sending last;
    private InstanceOpener.@Nullable Redirection open;

    StandbyDoor(InstanceOpener opener, Launch launch, PairConfig pair, ConfigurationStore objects) {
        this.opener = opener;
        this.launch = launch;
        this.pair = pair;
        this.objects = objects;
    }

    /** The role of this node, or the active node, may be another one. */
    void follow(PairStatus status) {
        boolean follows =
                switch (status.role()) {
                    case STANDBY_SYNCING, STANDBY_IN_SYNC, STANDBY_PAUSED -> true;
                    case STARTING, ACTIVE, ALONE, FENCED, REFUSED -> false;
                };
        leader = follows && !status.leader().equals(pair.node()) ? status.leader() : "";
        adjust();
    }

    /** The configuration may be another one. */
    void adjust() {
        Sending wanted = wanted();
        if (wanted == null) {
            close();
        } else if (!wanted.equals(last)) {
            close();
            last = wanted; // one that cannot be opened is tried again when something has changed
            open(wanted);
        }
    }

    /** The endpoints are free when it returns. */
    @Override
    public void close() {
        last = null;
        InstanceOpener.Redirection closing = open;
        if (closing != null) {
            open = null;
            closing.close();
        }
    }

    private @Nullable Sending wanted() {
        HighAvailability object = objects.current().single(HighAvailability.class);
        if (leader.isEmpty() || object.standbyAnswers() == StandbyAnswers.CLOSED) {
            return null;
        }
        try {
            NodeAddresses addresses = NodeAddresses.parse(object.clientAddresses());
            return new Sending(leader, pair.members().link(leader).getHostString(), addresses);
        } catch (InvalidValueException e) {
            throw new IllegalStateException("the configuration was checked when it was made", e);
        }
    }

    private void open(Sending sending) {
        boolean listens = !objects.current().single(Singletons.class).isMaintenance();
        InstancePlan plan = new InstancePlan(
                launch.config(),
                launch.dataDirectory(),
                listens,
                failure -> {},
                null,
                OutputLease.ALWAYS,
                TicketSource.OWN); // those of the active node are for those whom it serves
        try {
            open = opener.redirect(plan, objects, launch.objectsListen(), sending);
            LOG.info("This node, a standby, sends its clients to the active node {}", sending.leader());
        } catch (CannotListenException | CannotSecureException | ConfigurationStoreException e) {
            LOG.warn("This node, a standby, cannot send its clients to the active node: {}", e.getMessage());
        }
    }

    /**
     * Who serves clients, and where.
     *
     * @param host of that node where no other is configured
     */
    private record Sending(String leader, String host, NodeAddresses addresses) implements Elsewhere {
        @Override
        public ServerAddress of(int port) {
            return addresses.of(leader, host, port);
        }
    }
}

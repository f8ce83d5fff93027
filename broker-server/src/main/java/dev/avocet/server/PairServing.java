package dev.avocet.server;

import dev.avocet.core.tls.ticket.SharedTickets;
import dev.avocet.ha.ActiveTerm;
import dev.avocet.ha.PairHost;
import dev.avocet.ha.PairStatus;
import dev.avocet.ha.role.Role;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.export.ConfigurationCopy;
import dev.avocet.server.objects.ChangeOrigin;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves clients while this node is the active one of its pair, and goes by the active node's configuration while it is
 * not. Called by the thread of the pair.
 */
final class PairServing implements PairHost {
    private static final Logger LOG = LoggerFactory.getLogger(PairServing.class);

    private final ServedInstance instance;
    private final StandbyDoor standby;
    private final ConfigurationCopy configuration;
    private final SharedTickets tickets;
    private final PairReport report;
    private final TakeoverRehearsal rehearsal;
    private final Consumer<RunningBroker> onServing;
    private final Consumer<String> onEnded;

    /**
     * @param standby what clients find while this node is not the active one
     * @param tickets of both nodes
     * @param rehearsal begins when this node could take over
     * @param onServing hears of the broker when clients can connect
     * @param onEnded ends the process; hears why
     */
    PairServing(
            ServedInstance instance,
            StandbyDoor standby,
            ConfigurationCopy configuration,
            SharedTickets tickets,
            PairReport report,
            TakeoverRehearsal rehearsal,
            Consumer<RunningBroker> onServing,
            Consumer<String> onEnded) {
        this.instance = instance;
        this.standby = standby;
        this.configuration = configuration;
        this.tickets = tickets;
        this.report = report;
        this.rehearsal = rehearsal;
        this.onServing = onServing;
        this.onEnded = onEnded;
    }

    @Override
    public void serve(ActiveTerm term) throws Exception {
        rehearsal.close();
        standby.close();
        RunningBroker opened = instance.open(term.store(), term.lease(), tickets);
        onServing.accept(opened);
        report.serving(true);
    }

    @Override
    public void stopServing(String why) {
        if (instance.present() != null) {
            LOG.warn("This node serves no clients any more: {}", why);
        }
        report.serving(false);
        instance.close();
    }

    @Override
    public void statusChanged(PairStatus status) {
        report.told(status);
        standby.follow(status);
        if (status.role() == Role.STANDBY_IN_SYNC) {
            rehearsal.begin();
        }
    }

    @Override
    public byte[] configuration() throws Exception {
        return configuration.take();
    }

    @Override
    public void adoptConfiguration(byte[] archive) throws Exception {
        configuration.adopt(archive, ChangeOrigin.ofBroker("copied from the active node"));
        standby.adjust();
    }

    @Override
    public void ended(String why) {
        onEnded.accept(why);
    }
}

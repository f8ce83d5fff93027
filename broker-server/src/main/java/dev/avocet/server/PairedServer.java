package dev.avocet.server;

import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.MemberOptions;
import dev.avocet.ha.PairMember;
import dev.avocet.ha.Resynced;
import dev.avocet.ha.StandbyOrder;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.server.admin.PairHealth;
import dev.avocet.server.broker.InstanceOpener;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import dev.avocet.server.rest.request.PairControl;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The member of the pair that this process is, with what the process does for it. Started by the main thread; any
 * thread may ask or close it.
 */
final class PairedServer implements PairControl, AutoCloseable {
    private static final long STANDBY_PATIENCE_S = 10;
    private static final long RESYNC_PATIENCE_S = 60;

    private final PairConfig pair;
    private final PairMember member;
    private final PairReport report;
    private final @Nullable MemberTls tls;

    private PairedServer(PairConfig pair, PairMember member, PairReport report, @Nullable MemberTls tls) {
        this.pair = pair;
        this.member = member;
        this.report = report;
        this.tls = tls;
    }

    /** Returns when the member takes part; what it becomes is told to the report. */
    static PairedServer start(
            Launch launch,
            PairConfig pair,
            HighAvailability object,
            InstanceOpener process,
            PairServing serving,
            PairReport report)
            throws StartException {
        if (!launch.config().store().isDurable()) {
            throw PairConfig.unusable("a pair keeps what it acknowledges on both disks, and store.mode is '"
                    + launch.config().store().mode() + "'; choose --store sync or os");
        }
        requireApproved(launch.config().security().fips(), "security.fips", pair.credentials());
        MemberTls tls = pair.openTls();
        MemberOptions options = new MemberOptions(
                pair.group(),
                pair.node(),
                pair.members(),
                pair.place().in(launch.dataDirectory()),
                pair.credentials().secret(),
                tls,
                LinkVersions.ALL,
                process.storeOf(launch.config(), launch.dataDirectory()),
                settings(pair, object),
                pair.tuning().maxRetainedBytes(object),
                object.catchUpBytesPerSecond(),
                new SystemClock());
        try {
            PairMember member = PairMember.start(options, report.times(), serving);
            report.ask(member::status);
            return new PairedServer(pair, member, report, tls);
        } catch (IOException e) {
            close(tls);
            throw new StartException(
                    ExitCode.STORE_UNUSABLE,
                    "this node cannot take part in the pair '" + pair.group() + "': " + e.getMessage());
        }
    }

    /**
     * Refuses TLS that is made of a secret alone where FIPS 140 has to approve.
     *
     * @param option that has it approve
     */
    static void requireApproved(boolean fips, String option, Credentials credentials) throws StartException {
        if (fips && credentials.files() == null && !credentials.secret().isNone()) {
            throw PairConfig.unusable(option + ": TLS between the members would be made of --ha-secret-file by"
                    + " Argon2id, which FIPS 140 does not approve; give all members --ha-certificate, --ha-key and"
                    + " --ha-trust, or do without " + option);
        }
    }

    /** The member goes by the configuration, and the other node is to have every change of it, from now on. */
    void follow(ConfigurationStore objects) throws StartException {
        try {
            objects.addListener((before, after) -> changed(after.single(HighAvailability.class)));
        } catch (ConfigurationStoreException e) {
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public PairHealth state() {
        return report.health();
    }

    @Override
    public @Nullable String refusal() {
        return report.leads() ? null : report.whyNot() + ": change the configuration there";
    }

    private static PairSettings settings(PairConfig pair, HighAvailability object) {
        return pair.tuning().settings(pair.node(), pair.members().partnerOf(pair.node()), object);
    }

    @Override
    public Map<String, Object> ofNode() {
        return pair.shown();
    }

    /** The other node is to have the keys of session tickets that there are now. */
    void ticketsChanged() {
        if (report.leads()) {
            var unused = member.configurationChanged(); // which has the keys with it; no client waits for that
        }
    }

    private void changed(HighAvailability object) {
        member.tune(settings(pair, object), pair.tuning().maxRetainedBytes(object), object.catchUpBytesPerSecond());
        if (report.leads()) {
            var unused = member.configurationChanged(); // who has asked for the change waits, not this thread
        }
    }

    @Override
    public @Nullable String configurationChanged() {
        if (!report.leads()) {
            return null;
        }
        String problem;
        try {
            problem = member.configurationChanged().get(STANDBY_PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            problem = "it has not said so within " + STANDBY_PATIENCE_S + " s, though it is in sync";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            problem = "this node was stopped meanwhile";
        } catch (ExecutionException e) {
            throw new IllegalStateException("completed with nothing but a text", e);
        }
        return problem.isEmpty()
                ? null
                : "the change is made on this node, but the standby may not have it, and it is lost if the standby"
                        + " takes over now: " + problem;
    }

    @Override
    public boolean switchOver() {
        return member.switchOver();
    }

    @Override
    public String pause() {
        return member.order(StandbyOrder.PAUSE);
    }

    @Override
    public String resume() {
        return member.order(StandbyOrder.RESUME);
    }

    @Override
    public String promote() {
        return member.order(StandbyOrder.PROMOTE);
    }

    @Override
    public Resync resync() {
        try {
            Resynced done = member.resync().get(RESYNC_PATIENCE_S, TimeUnit.SECONDS);
            return new Resync(done.refused(), done.aside());
        } catch (TimeoutException e) {
            return new Resync("the store was not put aside within " + RESYNC_PATIENCE_S + " s: the log says more", "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Resync("this node was stopped meanwhile", "");
        } catch (ExecutionException e) {
            throw new IllegalStateException("completed with nothing but a result", e);
        }
    }

    @Override
    public void close() {
        member.close();
        close(tls);
    }

    private static void close(@Nullable MemberTls tls) {
        if (tls != null) {
            tls.close();
        }
    }
}

package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.mqtt.engine.flow.Unchecked;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.run.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the counters of all lanes say of a run: what arrived, what is wrong, what is noted. Owned by the
 * thread of the run; the lanes go on counting meanwhile.
 */
final class LaneFigures {
    private final RunPlan plan;
    private final Share share;

    /** Filled while the run connects. */
    private final List<Lane> lanes;

    private final AtomicReference<String> firstTrouble;
    private Uncertain uncertain = Uncertain.NONE;

    LaneFigures(RunPlan plan, Share share, List<Lane> lanes, AtomicReference<String> firstTrouble) {
        this.plan = plan;
        this.share = share;
        this.lanes = lanes;
        this.firstTrouble = firstTrouble;
    }

    /** Of the arrivals that did not happen, these need not have. */
    void expectMissing(Uncertain newUncertain) {
        uncertain = newUncertain;
    }

    long sum(ToLongFunction<Lane> figure) {
        return lanes.stream().mapToLong(figure).sum();
    }

    long connections() {
        return sum(lane -> lane.ready.value() - lane.trouble.lostCount() - lane.storm.awayCount());
    }

    Tally tally() {
        Tally tally = new Tally(sum(lane -> lane.sent.value()), sum(lane -> lane.expected.value()), 0, 0, 0, 0);
        for (Lane lane : lanes) {
            tally = tally.plus(lane.received);
        }
        return tally;
    }

    /** Without what need not have arrived. */
    Tally tallyOfCertain() {
        return tally().without(uncertain.arrivals());
    }

    List<String> notes() {
        return Stream.concat(unchecked().notes().stream(), uncertain.notes().stream())
                .toList();
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        Map<String, Long> requests = RequestFigures.sum(lanes);
        addIfAny(
                faults,
                requests.get("unanswered"),
                "%d requests came without a response topic or beyond what may wait");
        addIfAny(faults, requests.get("stray"), "%d replies came to another requester or with other correlation data");
        addIfAny(faults, sum(lane -> lane.storm.sessionsLost()), "%d sessions were gone when their clients came back");
        addIfAny(
                faults,
                sum(lane -> lane.storm.refusedCount()),
                "%d times a client that came back was refused; the first trouble: " + firstTrouble.get());
        addIfAny(faults, sum(lane -> lane.storm.awayCount()), "%d clients never came back");
        faults.addAll(unchecked().faults(tally(), plan.criteria()));
        faults.addAll(uncertain.faults());
        addIfAny(faults, unexplainedDoubles(), "%d messages came more than once, though no publisher sent them again");
        return faults;
    }

    /** Where only publishers leave, it is known how much they have sent again; each of these may come once more. */
    private long unexplainedDoubles() {
        boolean isKnown = plan.hasResendingPublishers()
                && plan.storms() != null
                && !plan.storms().haveConsumers()
                && share.count() == 1;
        return isKnown ? tally().duplicates() - sum(lane -> lane.storm.arrivalsAgain()) : 0;
    }

    private static void addIfAny(List<String> faults, long count, String format) {
        if (count > 0) {
            faults.add(format.replace("%d", String.valueOf(count)));
        }
    }

    Map<String, Map<String, Long>> counts(Map<String, Map<String, Long>> found) {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        if (plan.requests() != null) {
            counts.put("requests", RequestFigures.sum(lanes));
        }
        if (plan.storms() != null) {
            counts.put("storms", Storm.sum(lanes));
            if (plan.cutsOffPublishers()) {
                counts.get("storms").putAll(uncertain.counts());
            }
        }
        Tls tls = plan.tlsOfAny();
        if (tls != null && tls.resumes()) {
            counts.put("tls", Handshakes.sum(lanes));
        }
        counts.putAll(unchecked().counts());
        counts.putAll(found);
        return counts;
    }

    private Unchecked unchecked() {
        return new Unchecked(plan.own(), lanes.get(0).own, sum(lane -> lane.unchecked.value()));
    }
}

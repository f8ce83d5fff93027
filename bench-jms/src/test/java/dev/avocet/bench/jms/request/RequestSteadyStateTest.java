package dev.avocet.bench.jms.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.fake.Allocations;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.measure.Plans;
import dev.avocet.bench.jms.plan.ReplyTo;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Round trips leave no garbage either, at the requester or at the responder. */
final class RequestSteadyStateTest {
    private final RunClock clock = RunClock.system();
    private final Failures failures = new Failures();
    private Requester requester;

    /** The responder is called on the requester's thread. */
    @ParameterizedTest
    @CsvSource({"SELECTOR, false", "SELECTOR, true", "TEMPORARY_QUEUE, false"})
    void shouldAskAndReplyWithoutAllocation(ReplyTo replyTo, boolean isTransacted) throws JMSException {
        Allocations.assertNonePerMessage(messages -> roundTrips(replyTo, isTransacted, messages));

        assertThat(failures.texts()).isEmpty();
        assertThat(requester.sent()).isEqualTo(Allocations.MANY);
        assertThat(requester.arrivals().figures().received()).isEqualTo(Allocations.MANY);
    }

    private Runnable roundTrips(ReplyTo replyTo, boolean isTransacted, int messages) throws JMSException {
        RequestPlan plan = new RequestPlan("requests", 1, 1, 1, replyTo, false, isTransacted, 1_000);
        FakeBroker broker = new FakeBroker();
        Site site = new Site(
                0,
                broker::connect,
                Share.WHOLE,
                new AtomicLong(),
                RateSchedule.unpaced(),
                Plans.run(plan, messages, "64-512", 1),
                clock,
                failures);
        Connection connection = broker.connect();
        long startNs = clock.nanoTime();
        new Responder(0, site, plan, connection).begin(startNs);
        requester = new Requester(0, site, plan, connection);
        requester.prepare(site, 1, startNs);
        return requester;
    }
}

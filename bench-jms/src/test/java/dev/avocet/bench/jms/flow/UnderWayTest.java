package dev.avocet.bench.jms.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.fake.Fault;
import dev.avocet.bench.jms.measure.Plans;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The broker keeps all that it gets, so all that is sent is under way. */
@Timeout(180)
final class UnderWayTest {
    private static final long WAIT_NS = 1_000_000;

    private final RunClock clock = RunClock.system();
    private final Failures failures = new Failures();

    @ParameterizedTest
    @CsvSource({"QUEUE, queue, 1, 1", "QUEUE, queue, 4, 2", "TOPIC, topic, 3, 5"})
    void shouldNeverBeMoreThanTheLimitAndHardlyLess(DestinationKind kind, String name, int producers, int consumers)
            throws JMSException {
        // given
        FlowPlan flow = Plans.flow(kind, name, producers, consumers, 1);
        RunPlan plan = Plans.run(flow, 0, "64", 1);
        long most = plan.maxUnderWay();
        FakeBroker broker = new FakeBroker(Fault.DROP, 1);
        Site site = new Site(0, broker::connect, Share.WHOLE, new AtomicLong(), plan.schedule(), plan, clock, failures);
        FlowTraffic traffic = new FlowTraffic(site, flow);
        traffic.open();
        long startNs = clock.nanoTime();
        traffic.expect(startNs);

        // when
        traffic.start(startNs);
        while (traffic.tally().expected() < most - most / 16) {
            LockSupport.parkNanos(WAIT_NS);
        }
        traffic.stopSending();
        while (!traffic.isSendingOver()) {
            LockSupport.parkNanos(WAIT_NS);
        }

        // then
        Tally tally = traffic.tally();
        traffic.close();
        assertThat(failures.texts()).isEmpty();
        assertThat(tally.received()).isZero();
        assertThat(tally.expected()).isBetween(most - most / 16, most);
    }
}

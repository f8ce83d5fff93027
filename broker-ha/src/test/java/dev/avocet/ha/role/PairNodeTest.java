package dev.avocet.ha.role;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What chance seldom brings about. */
final class PairNodeTest {
    private static final long LINK = 7;
    private static final Register BOTH = Register.NONE.foundedBy("b", "store").with("a");

    private static final Register BOTH_LED_BY_B = BOTH.ledBy("b", BOTH.inSync());

    private final ManualClock clock = new ManualClock();
    private final SimulatedLog log = new SimulatedLog("store", () -> {}, () -> {});
    private final Port port = new Port();
    private final PairNode node = new PairNode(PairSettings.of("a", "b"), clock, log, port);

    @Test
    void shouldDropANodeWithAnotherDiskBeforeItGetsRecords() {
        // given a leader whose partner the register names as in sync
        lead();
        Register named = port.written.with("b");
        node.registerSeen(named);
        log.append(1, node.epoch());
        node.linkUp(LINK);

        // when the partner comes with an empty store of another name
        PairMessage.Follow follow = new PairMessage.Follow(1, "new", EpochStarts.NONE, 0);
        node.received(LINK, follow);

        // then it is dropped first
        assertThat(port.written).isEqualTo(named.without("b"));
        assertThat(port.sent).noneMatch(PairMessage.Sync.class::isInstance);

        // and gets what there is once the register says so
        node.registerAnswered(new CasResult.Written(named.without("b")));
        node.received(LINK, follow);
        assertThat(port.sent).contains(new PairMessage.Sync(1, node.epoch(), 0, "store"));
    }

    @Test
    void shouldNotFollowAnEpochThatTheLifeBeforeHasLeftBehind() {
        // given a node that has led epoch 3, and has not read the register since its start
        log.append(1, 1);
        log.append(2, 3);
        node.start();
        node.linkUp(LINK);

        // when the leader of epoch 2 is still there
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 1));
        node.received(LINK, new PairMessage.Sync(1, 2, 1, "store"));

        // then it hears that its time is over, and nothing is cut back, confirmed or promised
        assertThat(log.end()).isEqualTo(2);
        assertThat(port.sent).contains(new PairMessage.Fenced(3));
        assertThat(port.sent)
                .noneMatch(PairMessage.Confirm.class::isInstance)
                .noneMatch(PairMessage.Echo.class::isInstance);
    }

    @Test
    void shouldTakePartOnlyAfterItHasReadTheRegister() {
        node.start();
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 0));
        assertThat(port.sent).noneMatch(PairMessage.Echo.class::isInstance);

        node.registerSeen(BOTH);
        node.received(LINK, new PairMessage.Heartbeat(2, 2, 0));
        assertThat(port.sent).contains(new PairMessage.Echo(2, 2));
    }

    @Test
    void shouldRefuseToAcknowledgeAloneWhereTwoAreAskedFor() {
        PairNode careful = new PairNode(asksForBoth(), clock, log, port);
        lead(careful);
        log.append(1, careful.epoch());
        log.forcedUpTo(1);
        careful.forced();

        assertThat(careful.mayAccept()).isFalse();
        assertThat(port.attended).isFalse();
        assertThat(port.committed).isZero();

        // when the partner has joined, and confirms
        careful.linkUp(LINK);
        careful.received(LINK, new PairMessage.Follow(1, "new", EpochStarts.NONE, 0));
        careful.received(LINK, new PairMessage.Confirm(careful.epoch(), 1));
        careful.registerAnswered(new CasResult.Written(port.written));
        careful.received(LINK, new PairMessage.Echo(careful.epoch(), clock.nanoTime()));

        careful.tick();
        assertThat(port.attended).isTrue();
        assertThat(careful.mayAccept()).isTrue();
        assertThat(port.committed).isEqualTo(1);

        // when it is silent it is not dropped
        Register named = port.written;
        for (int i = 0; i < 50; i++) {
            clock.advance(Duration.ofMillis(100));
            careful.registerSeen(named);
            careful.tick();
        }
        assertThat(port.written).isEqualTo(named);
    }

    @Test
    void shouldGiveItsRoleUpWhenTheDiskDoesNotAnswer() {
        lead();
        node.registerSeen(port.written.with("b"));
        node.linkUp(LINK);
        log.append(1, node.epoch());
        long epoch = node.epoch();

        for (int i = 0; i < 60 && node.role().leads(); i++) {
            clock.advance(Duration.ofMillis(100));
            node.received(LINK, new PairMessage.Echo(epoch, clock.nanoTime()));
            node.received(LINK, new PairMessage.Confirm(epoch, i));
            node.tick();
        }

        assertThat(port.stopped).contains("the disk has not finished a force within PT5S");
        assertThat(port.sent).contains(new PairMessage.Resign(epoch));
    }

    @Test
    void shouldLetMessagesGoAsLongAsTheEchoOfThePartnerAllows() {
        // given: alone, it needs no lease
        lead();
        assertThat(port.leaseEndNs).isEqualTo(PairNode.NEEDS_NO_LEASE);

        // when the partner is named, nothing may go before it has promised something
        node.linkUp(LINK);
        node.registerSeen(port.written.with("b"));
        assertThat(PairNode.holds(port.leaseEndNs, clock.nanoTime())).isFalse();
        long sentNs = clock.nanoTime();
        clock.advance(Duration.ofMillis(100));
        node.received(LINK, new PairMessage.Echo(node.epoch(), sentNs));

        // then the time counts from the heartbeat, and no tick has to end it
        assertThat(PairNode.holds(port.leaseEndNs, clock.nanoTime())).isTrue();
        clock.advance(Duration.ofMillis(399));
        assertThat(PairNode.holds(port.leaseEndNs, clock.nanoTime())).isTrue();
        clock.advance(Duration.ofMillis(1));
        assertThat(PairNode.holds(port.leaseEndNs, clock.nanoTime())).isFalse();
    }

    @Test
    void shouldGiveItsRoleUpWithoutPartnerAndCoordinatorAlsoWhereTwoAreAskedFor() {
        // given
        PairNode careful = new PairNode(asksForBoth(), clock, log, port);
        lead(careful);
        bringPartnerInSync(careful);

        // when the partner is silent and the coordinator answers, it keeps the role, and delivers nothing
        for (int i = 0; i < 50; i++) {
            clock.advance(Duration.ofMillis(100));
            careful.registerSeen(careful.register());
            careful.tick();
        }
        assertThat(careful.role().leads()).isTrue();
        assertThat(PairNode.holds(port.leaseEndNs, clock.nanoTime())).isFalse();

        // when the coordinator is silent as well
        for (int i = 0; i < 26; i++) {
            clock.advance(Duration.ofMillis(100));
            careful.tick();
        }

        // then
        assertThat(port.stopped).singleElement().asString().contains("neither the other node nor the coordinator");
        assertThat(port.leaseEndNs).isEqualTo(PairNode.NO_LEASE);
    }

    @Test
    void shouldAskToBeLeftOutWhilePausedAndConfirmUntilItIs() {
        // given a follower in sync
        log.append(1, 2);
        log.forcedUpTo(1);
        node.start();
        node.registerSeen(BOTH_LED_BY_B);
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Sync(1, 2, 1, "store"));

        // when
        assertThat(node.pause()).isEmpty();
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 0));

        // then it asks, and is as good as before
        assertThat(port.sent).contains(new PairMessage.Leave(2, false), new PairMessage.Echo(2, 1));
        assertThat(node.role()).isEqualTo(Role.STANDBY_PAUSED);
        port.sent.clear();
        node.forced();
        assertThat(port.sent).contains(new PairMessage.Confirm(2, 1));

        // when the register names it no more
        node.registerSeen(BOTH_LED_BY_B.without("a"));
        port.sent.clear();
        clock.advance(Duration.ofSeconds(5));
        node.tick();
        node.received(LINK, new PairMessage.Heartbeat(2, 2, 0));
        node.forced();

        // then it neither confirms nor follows before it is resumed
        assertThat(port.sent)
                .noneMatch(PairMessage.Confirm.class::isInstance)
                .noneMatch(PairMessage.Follow.class::isInstance);
        assertThat(port.written).isEqualTo(Register.NONE);
        assertThat(node.resume()).isEmpty();
        assertThat(port.sent).anyMatch(PairMessage.Follow.class::isInstance);
    }

    @Test
    void shouldNotTakeOverFromALeaderThatHasJustTakenItBack() {
        // given a standby that is left out, and has heard nothing for long
        log.append(1, 2);
        log.forcedUpTo(1);
        node.start();
        Register without = BOTH_LED_BY_B.without("a");
        node.registerSeen(without);
        tickFor(Duration.ofSeconds(10));

        // when the register names it again before the first heartbeat comes
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Sync(1, 2, 1, "store"));
        node.registerSeen(without.with("a"));
        node.tick();

        // then the leader counts as one that was heard
        assertThat(node.role()).isEqualTo(Role.STANDBY_IN_SYNC);
        assertThat(port.written).isEqualTo(Register.NONE);

        // and when it is silent from then on
        tickFor(Duration.ofSeconds(1));
        assertThat(port.written.leader()).isEqualTo("a");
    }

    private void tickFor(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
            clock.advance(Duration.ofMillis(100));
            node.tick();
        }
    }

    @Test
    void shouldNotNameAPausedPartnerBeforeItFollowsAnew() {
        // given a leader whose partner follows and is in sync
        lead();
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Follow(1, "new", EpochStarts.NONE, 0));
        node.received(LINK, new PairMessage.Confirm(node.epoch(), 0));
        Register named = port.written;
        assertThat(named.inSync()).containsExactly("a", "b");
        node.registerAnswered(new CasResult.Written(named));

        // when it is paused
        node.received(LINK, new PairMessage.Leave(node.epoch(), false));
        assertThat(port.written).isEqualTo(named.without("b"));
        node.registerAnswered(new CasResult.Written(port.written));
        node.received(LINK, new PairMessage.Confirm(node.epoch(), 0));

        // then
        assertThat(node.role()).isEqualTo(Role.ALONE);
        assertThat(port.written).isEqualTo(named.without("b"));

        // when it follows anew
        node.received(LINK, new PairMessage.Follow(2, "store", EpochStarts.NONE, 0));
        node.received(LINK, new PairMessage.Confirm(node.epoch(), 0));
        assertThat(port.written).isEqualTo(named.without("b").with("b"));
    }

    @Test
    void shouldGiveItsStoreUpOnlyOnceTheLeaderSaysThatItIsOut() {
        // given a follower in sync
        log.append(1, 2);
        log.forcedUpTo(1);
        node.start();
        node.registerSeen(BOTH_LED_BY_B);
        assertThat(node.renew()).contains("does not answer this node");
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Sync(1, 2, 1, "store"));
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 0));

        // when
        assertThat(node.renew()).isEmpty();
        node.received(LINK, new PairMessage.Heartbeat(2, 2, 0));

        // then
        assertThat(port.sent).contains(new PairMessage.Leave(2, true));
        assertThat(port.renewals).isEmpty();

        // when one of an older epoch says so as well
        node.received(LINK, new PairMessage.Left(1));
        assertThat(port.renewals).isEmpty();
        node.received(LINK, new PairMessage.Left(2));

        // then
        assertThat(port.renewals).last().isEqualTo("");
    }

    @Test
    void shouldNotGiveItsStoreUpForALeaderThatIsNotThere() {
        // given the last leader itself, which has just begun a new life
        log.append(1, 2);
        log.forcedUpTo(1);
        node.start();
        node.registerSeen(BOTH_LED_BY_B.ledBy("a", BOTH.inSync()));
        node.linkUp(LINK);
        assertThat(node.renew()).contains("does not answer this node");

        // when another one led last, and falls silent before it has answered
        Register led = BOTH_LED_BY_B.ledBy("a", BOTH.inSync()).ledBy("b", BOTH.inSync());
        node.registerSeen(led);
        node.received(LINK, new PairMessage.Heartbeat(led.epoch(), 1, 0));
        assertThat(node.renew()).isEmpty();
        passMs(1_000);

        // then the store stays, and this node attempts to lead
        assertThat(port.renewals).singleElement().asString().contains("does not answer any more");
        assertThat(port.written.leader()).isEqualTo("a");
    }

    @Test
    void shouldLetAPartnerGiveItsStoreUpOnceTheRegisterDoesNotNameIt() {
        // given a leader whose partner follows and is in sync
        lead();
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Follow(1, "store", EpochStarts.NONE, 0));
        node.received(LINK, new PairMessage.Confirm(node.epoch(), 0));
        Register named = port.written;
        node.registerAnswered(new CasResult.Written(named));
        PairMessage.Left out = new PairMessage.Left(node.epoch());

        // when
        node.received(LINK, new PairMessage.Leave(node.epoch(), true));
        assertThat(port.written).isEqualTo(named.without("b"));
        assertThat(port.sent).doesNotContain(out);
        node.registerAnswered(new CasResult.Written(port.written));
        node.received(LINK, new PairMessage.Leave(node.epoch(), true));

        // then it may, and nothing of the log is given up
        assertThat(port.sent).contains(out);
        assertThat(node.partnerNeeds()).isZero();
    }

    @Test
    void shouldTakeAStoreOnceAllOfItHasCome() {
        // given a standby that lacks more than the leader has
        log.append(1, 1);
        log.forcedUpTo(1);
        node.start();
        node.registerSeen(BOTH_LED_BY_B.without("a"));
        node.linkUp(LINK);
        EpochStarts starts = EpochStarts.NONE.with(1, 0).with(2, 5);
        node.received(LINK, new PairMessage.Start(1, 2, "store", 3, starts));

        // when a part is missing, or it does not end where it should
        node.received(LINK, new PairMessage.Records(2, 3, 4, List.of()));
        node.received(LINK, new PairMessage.Records(2, 5, 6, List.of()));
        node.received(LINK, new PairMessage.Whole(2, 6));
        node.storeReceived();

        // then nothing comes of it
        assertThat(port.storesReceived).isZero();

        // when it comes anew, with a hole before its checkpoint
        node.linkUp(LINK + 1);
        node.received(LINK + 1, new PairMessage.Start(2, 2, "store", 3, starts));
        node.received(LINK + 1, new PairMessage.Records(2, 1, 2, List.of()));
        node.received(LINK + 1, new PairMessage.Records(2, 3, 6, List.of()));
        node.storeReceived();
        assertThat(port.storesReceived).isZero();
        node.received(LINK + 1, new PairMessage.Whole(2, 6));
        node.storeReceived();

        // then it takes the place of the other one, and this node is not promoted any more
        assertThat(port.storesReceived).isEqualTo(1);
        assertThat(node.role()).isEqualTo(Role.STANDBY_PAUSED);

        // when it is paused and resumed before its life is over
        assertThat(node.pause()).isEmpty();
        int sent = port.sent.size();
        node.resume();

        // then it does not ask for another store, which would come into the place of the one that it has
        assertThat(port.sent).hasSize(sent);
        assertThat(node.role()).isEqualTo(Role.STANDBY_PAUSED);
    }

    @Test
    void shouldSendItsStoreToANodeThatTheRegisterDoesNotName() {
        // given a leader that has dropped a part of its log
        lead();
        log.append(1, node.epoch());
        log.append(2, node.epoch());
        log.forcedUpTo(2);
        node.forced();
        log.drop(1);
        node.linkUp(LINK);

        // when
        node.received(LINK, new PairMessage.Follow(1, "other", EpochStarts.NONE, 0));

        // then the log is kept from its checkpoint on
        assertThat(port.storesShipped).isEqualTo(1);
        assertThat(node.partnerStarts()).isTrue();
        assertThat(node.partnerNeeds()).isZero();
        assertThat(node.whyNotInSync()).endsWith("gets everything anew, so wait: the checkpoint is under way");
        node.storeShipped(LINK, node.epoch(), 2, 1);
        assertThat(node.whyNotInSync()).endsWith("so wait: the log is sent up to position 2 of " + log.end());
        assertThat(node.partnerNeeds()).isEqualTo(1);
        assertThat(node.role()).isEqualTo(Role.ALONE);
    }

    @Test
    void shouldLeadByForceOnlyWhereTheLeaderIsSilentAndTheRegisterIsAsItWas() {
        // given a follower that is not in sync, and a leader that answers
        Register alone = BOTH_LED_BY_B.without("a");
        log.append(1, 2);
        assertThat(node.promote()).contains("does not know the register");
        node.start();
        node.registerSeen(alone);
        node.linkUp(LINK);
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 0));

        // when
        assertThat(node.promote()).contains("b, answers this node");

        // when it is silent, and the register has changed by the time at which it is read
        passMs(1_000);
        assertThat(node.promote()).isEmpty();
        node.registerSeen(BOTH_LED_BY_B.without("a").ledBy("b", alone.inSync()));
        assertThat(port.written).isEqualTo(Register.NONE);

        // when it has not changed
        Register last = node.register();
        assertThat(node.promote()).isEmpty();
        node.registerSeen(last);

        // then one epoch is left out, and only this node is in sync
        assertThat(port.written).isEqualTo(last.forcedBy("a"));
        assertThat(port.written.epoch()).isEqualTo(last.epoch() + 2);
        assertThat(port.written.inSync()).containsExactly("a");
        node.registerAnswered(new CasResult.Written(port.written));
        assertThat(node.role()).isEqualTo(Role.ALONE);
    }

    @Test
    void shouldNotLeadByForceBesideALeaderThatItHearsAndDoesNotAnswer() {
        // given a standby that attempts to take over, and hears nothing of what becomes of it
        node.start();
        log.append(1, 2);
        log.forcedUpTo(1);
        node.registerSeen(BOTH_LED_BY_B);
        passMs(1_000);
        assertThat(port.written.leader()).isEqualTo("a");

        // when the leader was only slow, and has left it out
        node.linkUp(LINK);
        passMs(1_000);
        node.received(LINK, new PairMessage.Heartbeat(2, 1, 1));
        node.registerAnswered(new CasResult.Refused(BOTH_LED_BY_B.without("a")));

        // then
        assertThat(node.promote()).contains("b, answers this node");
    }

    @Test
    void shouldForgetTheWishToLeadByForceWhenTheCoordinatorDoesNotAnswer() {
        Register alone = BOTH_LED_BY_B.without("a");
        node.start();
        log.append(1, 2);
        node.registerSeen(alone);
        passMs(1_000);
        assertThat(node.promote()).isEmpty();

        // when
        passMs(6_000);
        node.registerSeen(alone);

        // then
        assertThat(port.written).isEqualTo(Register.NONE);
    }

    @Test
    void shouldNotLeadByForceWithAnotherStoreOrInSync() {
        node.start();
        node.registerSeen(BOTH_LED_BY_B);
        assertThat(node.promote()).contains("becomes active by itself");
        SimulatedLog other = new SimulatedLog("other", () -> {}, () -> {});
        PairNode stranger = new PairNode(PairSettings.of("a", "b"), clock, other, port);
        stranger.start();
        stranger.registerSeen(BOTH_LED_BY_B.without("a"));
        assertThat(stranger.promote()).contains("is not that of the pair");
    }

    private void passMs(int ms) {
        for (int i = 0; i < ms; i += 100) {
            clock.advance(Duration.ofMillis(100));
            node.tick();
        }
    }

    @Test
    void shouldRefuseToPauseWhereBothNodesAreAskedFor() {
        PairNode careful = new PairNode(asksForBoth(), clock, log, port);
        careful.start();
        careful.registerSeen(BOTH_LED_BY_B);
        assertThat(careful.pause()).contains("MinInSync 2");
        assertThat(careful.role()).isNotEqualTo(Role.STANDBY_PAUSED);
    }

    @Test
    void shouldLeadAloneOnceTheRoleIsHandedOverWhileThePartnerOpensItsStoreAnew() {
        // given a follower in sync
        log.append(1, 2);
        log.forcedUpTo(1);
        follow(node);

        // when
        node.received(LINK, new PairMessage.HandOver(2, 1));
        node.registerAnswered(new CasResult.Written(port.written));

        // then it waits for no confirmation
        assertThat(port.written.inSync()).containsExactly("a");
        assertThat(node.role()).isEqualTo(Role.ALONE);
        assertThat(port.committed).isEqualTo(1);
    }

    @Test
    void shouldWaitForThePartnerThatHasHandedOverWhereTwoAreAskedFor() {
        // given
        PairNode careful = new PairNode(asksForBoth(), clock, log, port);
        log.append(1, 2);
        log.forcedUpTo(1);
        follow(careful);

        // when
        careful.received(LINK, new PairMessage.HandOver(2, 1));
        careful.registerAnswered(new CasResult.Written(port.written));

        // then
        assertThat(port.written.inSync()).containsExactly("a", "b");
        assertThat(careful.role()).isEqualTo(Role.ACTIVE);
        assertThat(port.committed).isZero();
    }

    @Test
    void shouldBeRelievedByTheNodeThatHasTakenWhatItHandedOver() {
        // given
        lead();
        bringPartnerInSync(node);

        // when
        assertThat(node.switchOver()).isTrue();
        partnerLeads(node);

        // then
        assertThat(port.relieved).containsExactly(true);
    }

    @Test
    void shouldNotBeRelievedOfWhatItHasNotHandedOver() {
        // given
        lead();
        bringPartnerInSync(node);

        // when
        partnerLeads(node);

        // then
        assertThat(port.relieved).containsExactly(false);
    }

    @Test
    void shouldNotBeRelievedWhereTwoAreAskedFor() {
        // given
        PairNode careful = new PairNode(asksForBoth(), clock, log, port);
        lead(careful);
        bringPartnerInSync(careful);

        // when
        assertThat(careful.switchOver()).isTrue();
        partnerLeads(careful);

        // then
        assertThat(port.relieved).containsExactly(false);
    }

    private void bringPartnerInSync(PairNode leader) {
        leader.linkUp(LINK);
        leader.registerSeen(port.written.with("b"));
        leader.received(LINK, new PairMessage.Echo(leader.epoch(), clock.nanoTime()));
    }

    private static void partnerLeads(PairNode leader) {
        leader.registerSeen(leader.register().ledBy("b", new TreeSet<>(List.of("b"))));
    }

    private static void follow(PairNode follower) {
        follower.start();
        follower.registerSeen(BOTH_LED_BY_B);
        follower.linkUp(LINK);
        follower.received(LINK, new PairMessage.Sync(1, 2, 1, "store"));
        assertThat(follower.role()).isEqualTo(Role.STANDBY_IN_SYNC);
    }

    private static PairSettings asksForBoth() {
        return new PairSettings(
                "a",
                "b",
                Duration.ofMillis(100),
                Duration.ofMillis(600),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(250),
                2,
                16,
                4,
                false,
                false);
    }

    private void lead() {
        lead(node);
    }

    /** The partner led, and is silent. */
    private void lead(PairNode any) {
        any.start();
        any.registerSeen(BOTH);
        for (int i = 0; i < 10 && port.written.revision() == 0; i++) {
            clock.advance(Duration.ofMillis(100));
            any.tick();
        }
        any.registerAnswered(new CasResult.Written(port.written));
        assertThat(any.role()).isEqualTo(Role.ALONE);
    }

    private static final class Port implements PairPort {
        private final List<PairMessage> sent = new ArrayList<>();
        private final List<String> stopped = new ArrayList<>();
        private final List<Boolean> relieved = new ArrayList<>();
        private final List<String> renewals = new ArrayList<>();
        private Register written = Register.NONE;
        private int storesShipped;
        private int storesReceived;
        private long committed;
        boolean attended = true;
        private long leaseEndNs = PairNode.NO_LEASE;

        @Override
        public void send(long link, PairMessage message) {
            sent.add(message);
        }

        @Override
        public long ship(long link, long epoch, long from, long end) {
            assertThat(link).isEqualTo(LINK);
            return UNDER_WAY;
        }

        @Override
        public void shipStore(long link, long epoch, long request, EpochStarts starts) {
            assertThat(link).isEqualTo(LINK);
            storesShipped++;
        }

        @Override
        public void storeReceived() {
            storesReceived++;
        }

        @Override
        public void readRegister() {
            assertThat(sent).isNotNull();
        }

        @Override
        public void writeRegister(Register expected, Register next) {
            written = next;
        }

        @Override
        public void lead(long epoch) {
            assertThat(epoch).isPositive();
        }

        @Override
        public void stopLeading(String why, boolean relieved) {
            stopped.add(why);
            this.relieved.add(relieved);
        }

        @Override
        public void committed(long position) {
            committed = position;
        }

        @Override
        public void mayDeliverUntil(long endNs) {
            leaseEndNs = endNs;
        }

        @Override
        public void renewed(String refused) {
            renewals.add(refused);
        }

        @Override
        public void attended(boolean isAttended) {
            attended = isAttended;
        }

        @Override
        public void roleChanged(Role role, Register register) {
            assertThat(role).isNotNull();
        }
    }
}

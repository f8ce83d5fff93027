package dev.avocet.bench.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.part.Part.Connections;
import dev.avocet.bench.run.HarnessLoad;
import java.util.List;
import java.util.Map;

/** What a controller and an agent say to each other. Times are nanoseconds. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(Message.Hello.class),
    @JsonSubTypes.Type(Message.Login.class),
    @JsonSubTypes.Type(Message.Welcome.class),
    @JsonSubTypes.Type(Message.About.class),
    @JsonSubTypes.Type(Message.Refused.class),
    @JsonSubTypes.Type(Message.Ping.class),
    @JsonSubTypes.Type(Message.Pong.class),
    @JsonSubTypes.Type(Message.Prepare.class),
    @JsonSubTypes.Type(Message.Opened.class),
    @JsonSubTypes.Type(Message.Start.class),
    @JsonSubTypes.Type(Message.Progress.class),
    @JsonSubTypes.Type(Message.Others.class),
    @JsonSubTypes.Type(Message.Figures.class),
    @JsonSubTypes.Type(Message.Look.class),
    @JsonSubTypes.Type(Message.Forget.class),
    @JsonSubTypes.Type(Message.ChangeRate.class),
    @JsonSubTypes.Type(Message.StopSending.class),
    @JsonSubTypes.Type(Message.Finish.class),
    @JsonSubTypes.Type(Message.Done.class)
})
sealed interface Message {
    /** The agent begins. */
    record Hello(String version, byte[] nonce) implements Message {}

    /** @param proof that the controller knows the secret */
    record Login(String version, byte[] nonce, byte[] proof) implements Message {}

    /** @param proof that the agent knows the secret */
    record Welcome(byte[] proof) implements Message {}

    /**
     * What an agent runs on.
     *
     * @param clock two that are equal are the same monotonic clock
     * @param process two that are equal are the same process
     */
    record About(String clock, String process, Map<String, String> environment) implements Message {}

    /** The agent will not, or cannot. */
    record Refused(String why) implements Message {}

    record Ping(long sentNs) implements Message {}

    record Pong(long sentNs, long agentNs) implements Message {}

    /** @param aheadNs what the agent has to add to its clock to have the controller's */
    record Prepare(List<Task> tasks, int index, int count, long aheadNs) implements Message {}

    record Opened(double seconds, Connections connections, List<String> failures) implements Message {}

    record Start(long startNs) implements Message {}

    /** Also the agent's sign of life. */
    record Progress(Phase phase, Tally tally, boolean isSendingOver) implements Message {}

    /**
     * Also the controller's sign of life.
     *
     * @param underWay messages of all other agents; may be negative
     */
    record Others(long underWay) implements Message {}

    /**
     * An interval.
     *
     * @param number of the interval in its phase
     * @param isCut whether it was too short to show
     * @param firstTrouble what went wrong first so far; empty when nothing did
     * @param latencies histograms by what they measure
     */
    record Figures(
            Phase phase,
            int number,
            boolean isCut,
            double seconds,
            Tally tally,
            long connections,
            double sentPerSecond,
            double receivedPerSecond,
            String firstTrouble,
            Map<String, byte[]> latencies)
            implements Message {}

    /** Ends the interval now. */
    record Look() implements Message {}

    /** Forgets the latencies of the interval. */
    record Forget() implements Message {}

    /** @param sinceNs by the controller's clock */
    record ChangeRate(double messagesPerSecond, long sinceNs) implements Message {}

    record StopSending() implements Message {}

    record Finish() implements Message {}

    /** The part is over and closed. */
    record Done(
            Tally tally,
            Connections connections,
            double measuredSeconds,
            double sentPerSecond,
            double receivedPerSecond,
            long backlogGrowth,
            HarnessLoad load,
            List<String> failures,
            List<Map<String, Map<String, Long>>> counts)
            implements Message {}
}

package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.coordination.Answers;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the register in the group of which this process is a member. Closing it does not close the member.
 *
 * <p>It uses the blocking client on its own thread: the asynchronous one keeps the order of its requests, and takes
 * none any more once one of them has failed.
 */
public final class GroupCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCoordinator.class);
    private static final long RETRY_MS = 100;
    private static final int ATTEMPTS = 4;

    private final GroupMember member;
    private final RaftClient client;
    private final Answers answers;

    private GroupCoordinator(GroupMember member, RaftClient client, Answers answers) {
        this.member = member;
        this.client = client;
        this.answers = answers;
    }

    /** Asks the group of that member. */
    public static GroupCoordinator of(GroupMember member) {
        GroupSettings settings = member.settings();
        long timeoutMs = settings.timeout().toMillis();
        RaftProperties properties = new RaftProperties();
        GroupTransport.choose(properties);
        RaftClientConfigKeys.Rpc.setRequestTimeout(
                properties, TimeDuration.valueOf(timeoutMs / ATTEMPTS, TimeUnit.MILLISECONDS));
        RaftClient client = RaftClient.newBuilder()
                .setProperties(properties)
                .setParameters(member.parameters())
                .setRaftGroup(settings.group())
                .setLeaderId(RaftPeerId.valueOf(settings.arbiter()))
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                        ATTEMPTS, TimeDuration.valueOf(RETRY_MS, TimeUnit.MILLISECONDS)))
                .build();
        return new GroupCoordinator(member, client, new Answers(settings.timeout(), settings.where()));
    }

    @Override
    public CompletionStage<Register> read() {
        return answers.ask(() -> answer(client.io().sendReadOnly(Message.EMPTY)).current());
    }

    @Override
    public CompletionStage<CasResult> compareAndSet(Register expected, Register next) {
        return answers.ask(() -> answer(client.io().send(RegisterMessages.change(expected, next))));
    }

    private static CasResult answer(RaftClientReply reply) throws CoordinationException {
        if (!reply.isSuccess()) {
            throw new CoordinationException("The group has refused: " + reply.getException());
        }
        return RegisterMessages.answer(reply.getMessage().getContent());
    }

    @Override
    public Watch watch(Consumer<Register> listener) {
        return member.watch(register -> answers.later(() -> listener.accept(register)));
    }

    @Override
    public void close() {
        answers.close();
        try {
            client.close();
        } catch (IOException e) {
            LOG.warn("The client of {} was not closed: {}", member, e.toString());
        }
    }
}

package dev.avocet.server.rest.messaging;

import dev.avocet.amqp.message.ComposedMessage;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.QueueMessages.Sent;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Sends messages to queues for administrators, who need no client for that. */
public final class QueueSendRequests {
    private final PresentQueues queues;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    public QueueSendRequests(PresentBroker broker, AuditLog audit) {
        this.queues = new PresentQueues(broker);
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.POST,
                        PresentQueues.QUEUE + "/message",
                        "Sends a message to the queue, whatever policies say of clients: Body, which is text, or Base64 where"
                                + " BodyEncoding is base64, with Properties of text, numbers or booleans, and what a JMS client"
                                + " can say besides. Answers when the queue has it, with its MessageID",
                        PresentQueues.SERVE,
                        this::send)
                .bringing(RouteBody.of(SentBody.members(), List.of(SentBody.BODY))));
    }

    private void send(Context context, Administrator who) throws Refusal {
        String name = queues.name(context);
        ComposedMessage message = new SentBody(RequestBody.object(context)).message(name);
        Sent sent;
        try {
            sent = queues.messages()
                    .send(message.toMessage(clock, Objects.requireNonNullElse(who.name(), "an administrator")));
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
        if (!sent.unsealed().isEmpty()) {
            throw new Refusal(Code.INVALID, "the queue takes sealed messages only: " + sent.unsealed());
        }
        if (sent.outcome() != PublishOutcome.ACCEPTED) {
            throw refusal(name, sent.outcome());
        }
        audit.did(who, "sent a message of " + message.body().length + " bytes to queue '" + name + "'");
        Answer.done(context, Code.DONE, "The queue has taken the message.", Map.of("MessageID", message.messageId()));
    }

    private static Refusal refusal(String name, PublishOutcome outcome) {
        return switch (outcome) {
            case NO_SUCH_QUEUE -> PresentQueues.unknown(name);
            case SEND_NOT_ALLOWED ->
                new Refusal(Code.IN_USE, "queue '" + name + "' takes no messages, as its AllowSend is false");
            case QUOTA_EXCEEDED ->
                new Refusal(Code.NOT_NOW, "queue '" + name + "' is full, or the broker is short of memory");
            case STORE_FULL ->
                new Refusal(
                        Code.NOT_NOW,
                        "the disk is too full for persistent messages; make room, or send it as one"
                                + " that is not persistent");
            case STANDBY_AWAY ->
                new Refusal(Code.NOT_NOW, "the other broker of the pair does not answer, and has to have the message");
            default -> new Refusal(Code.NOT_NOW, "the broker has not taken the message: " + outcome);
        };
    }
}

package dev.avocet.amqp.peer;

import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.message.Message;
import dev.avocet.core.policy.PolicySet;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.session.ConnectionLog;
import java.util.Objects;
import java.util.Set;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/** What the log is told of one connection. Owned by the connection's loop. */
public final class ConnectionNotes {
    private static final String LOGIN_REFUSED = "login refused";
    private static final String LOGIN_NOT_BEGUN = "login not begun";
    private static final String LOGIN_INCOMPLETE = "login not completed";
    private static final String LOGIN_OVER = "login over";
    private static final String NOT_OPENED = "connection not opened";

    /** What is about who the client is and what it may do. */
    public static final Set<String> SECURITY_CAUSES = Set.of(
            LOGIN_REFUSED,
            LOGIN_NOT_BEGUN,
            LOGIN_INCOMPLETE,
            LOGIN_OVER,
            NOT_OPENED,
            AmqpError.UNAUTHORIZED_ACCESS.toString());

    private final ConnectionLog log;
    private final Admission admission;
    private final AmqpClient client;
    private boolean isOpen;

    public ConnectionNotes(ConnectionLog log, Admission admission, AmqpClient client) {
        this.log = log;
        this.admission = admission;
        this.client = client;
    }

    /** The client has come in. */
    public void opened() {
        isOpen = true;
        if (log.tellsOfEvery()) {
            log.connected(client.toString(), "AMQP 1.0");
        }
    }

    /** And it has gone. */
    public void ended() {
        if (log.tellsOfEvery()) {
            log.ended(client.toString());
        }
    }

    /** The broker itself did something wrong. */
    public void failed(Throwable cause) {
        log.failed(client.toString(), cause);
    }

    /** Why the connection ends: one line in the log a minute for each cause and client. */
    public void closed(String cause, String detail) {
        log.closed(cause, client.shortName(), client.toString(), named(cause, detail));
    }

    public void closed(ErrorCondition condition) {
        closed(String.valueOf(condition.getCondition()), String.valueOf(condition.getDescription()));
    }

    public void loginRefused(String why) {
        SaslNegotiation login = client.login();
        closed(LOGIN_REFUSED, login == null ? why : why + " (" + login.mechanism() + ")");
    }

    public void loginOver() {
        closed(LOGIN_OVER, "the time of the login is over");
    }

    /** The client has gone, or has been given up, before it was let in. */
    public void notOpened(ConnectionState state) {
        int timeMs = admission.expiredAfterMs();
        String how = timeMs > 0 ? "the broker waited " + timeMs + " ms, its connectTimeoutMs" : "the client has gone";
        switch (state) {
            case AUTHENTICATING -> {
                SaslNegotiation login = Objects.requireNonNull(client.login());
                closed(login.hasBegun() ? LOGIN_INCOMPLETE : LOGIN_NOT_BEGUN, how + " (" + login.mechanism() + ")");
            }
            case EXPECTING_AMQP, EXPECTING_OPEN -> closed(NOT_OPENED, how + " (it has not sent open)");
            case OPENING -> closed(NOT_OPENED, how + " (open is not answered yet)");
            case EXPECTING_HEADER, OPEN, CLOSED -> {
                // nothing began, or what began has been done
            }
        }
    }

    /**
     * Something was refused while the connection goes on.
     *
     * @param object what it is about, for the limit of lines in the log
     */
    public void refused(String what, String object, String detail) {
        log.refused(what, object, client::toString, () -> named(what, detail));
    }

    /** A message was refused as a queue or subscription is full. */
    public void full(Message message, MessageQueue queue) {
        log.refused(
                "full",
                queue.name(),
                client::toString,
                () -> (message.isForQueue() ? "message to queue '" : "message to topic '")
                        + ConnectionLog.shortened(message.topic().text()) + "': " + queue.fullness());
    }

    /** A client that is refused for want of a policy reads which ones there are. */
    private String named(String cause, String detail) {
        PolicySet present = admission.policies().current();
        if (present == null || !cause.equals(AmqpError.UNAUTHORIZED_ACCESS.toString())) {
            return detail;
        }
        String policies =
                isOpen ? present.topicPolicies() + "; " + present.queuePolicies() : present.connectionPolicies();
        return detail + "; endpoint '" + client.origin().endpoint() + "' has " + policies;
    }
}

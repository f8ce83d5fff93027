package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.QueueAdministration;
import dev.avocet.server.broker.content.QueueMessages;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import java.util.Set;

/** The queues of the broker that serves clients, for requests about them. */
record PresentQueues(PresentBroker broker) {
    /** Who may. */
    static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);

    static final String QUEUE = "/service/queue/{Name}";

    QueueAdministration administration() throws Refusal {
        RunningBroker running = broker.get();
        QueueAdministration queues = running == null ? null : running.queues();
        if (queues == null) {
            throw broker.absent();
        }
        return queues;
    }

    QueueMessages messages() throws Refusal {
        return administration().messages();
    }

    /** The queue that the path names, which there is. */
    String name(Context context) throws Refusal {
        return existing(context.pathParam("Name"));
    }

    String existing(String name) throws Refusal {
        if (!administration().exists(name)) {
            throw unknown(name);
        }
        return name;
    }

    /** Another queue, which there is, for what the first one has. */
    String other(String name, String to) throws Refusal {
        existing(to);
        if (name.equals(to)) {
            throw new Refusal(Code.INVALID, "To: name another queue than '" + name + "'");
        }
        return to;
    }

    static Refusal unknown(String name) {
        return new Refusal(Code.NOT_FOUND, "there is no queue '" + name + "'");
    }

    static Refusal notInTime(NotInTimeException why) {
        return new Refusal(Code.NOT_NOW, String.valueOf(why.getMessage()));
    }
}

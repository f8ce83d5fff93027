package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.RetainedAdministration;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Retained messages for administrators. Waits for the event loops, so it is not for them; otherwise any thread. */
public final class RetainedMessageAdministration {
    /** Messages removed in one turn of an event loop, which serves its clients in between. */
    private static final int REMOVED_TOGETHER = 500;

    private final RetainedAdministration retained;

    public RetainedMessageAdministration(Broker broker) {
        this.retained = broker.retainedAdministration();
    }

    /** The messages whose topics match, by topic. */
    public void list(TopicFilter filter, Page<Message> page) throws NotInTimeException {
        ClientAdministration.await(retained.load(filter));
        retained.forEach(filter, message -> page.add(message.topic().text(), () -> message));
    }

    /** The message of a topic, or null when it has none. */
    public @Nullable Message find(TopicName topic) throws NotInTimeException {
        ClientAdministration.await(retained.load(topic));
        return retained.find(topic);
    }

    /** Takes the message of a topic away; false when it has none. Subscribers hear nothing of it. */
    public boolean delete(TopicName topic) throws NotInTimeException {
        ClientAdministration.await(retained.settled());
        Message message = find(topic);
        return message != null && ClientAdministration.await(retained.remove(List.of(message))) > 0;
    }

    /** Takes all messages away whose topics match, and returns how many that were. Subscribers hear nothing of it. */
    public long delete(TopicFilter filter) throws NotInTimeException {
        ClientAdministration.await(retained.settled());
        ClientAdministration.await(retained.load(filter));
        Removal removal = new Removal();
        retained.forEach(filter, removal);
        return removal.finish();
    }

    /**
     * Takes all messages away whose topics are wanted, those that begin with {@code $} included; returns how many that
     * were.
     */
    public long delete(Predicate<String> wanted) throws NotInTimeException {
        ClientAdministration.await(retained.settled());
        ClientAdministration.await(retained.load(wanted));
        Removal removal = new Removal();
        retained.forEach(message -> {
            if (wanted.test(message.topic().text())) {
                removal.accept(message);
            }
        });
        return removal.finish();
    }

    /** Gathers what is to go, and has it removed part by part. */
    private final class Removal implements Consumer<Message> {
        private final List<Message> gathered = new ArrayList<>();

        @Override
        public void accept(Message message) {
            gathered.add(message);
        }

        long finish() throws NotInTimeException {
            long gone = 0;
            for (int from = 0; from < gathered.size(); from += REMOVED_TOGETHER) {
                List<Message> part =
                        List.copyOf(gathered.subList(from, Math.min(gathered.size(), from + REMOVED_TOGETHER)));
                gone += ClientAdministration.await(retained.remove(part));
            }
            return gone;
        }
    }
}

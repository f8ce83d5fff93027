package dev.avocet.ha;

import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.role.PairMessage;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the standby get the configuration of the active node: before it is told from where it follows, and after each
 * change. So a node that is in sync has had the configuration of the time when it joined. Thread of the pair.
 */
final class Configurations {
    private static final Logger LOG = LoggerFactory.getLogger(Configurations.class);
    private static final int ARCHIVE_MAX_BYTES = 7 << 20;

    private final PairThread thread;
    private final HostThread hosting;
    private final AwaitedConfigurations awaited = new AwaitedConfigurations();
    private byte @Nullable [] archive;
    private long number;
    private long sent;
    private @Nullable LinkConnection sentOn;
    private boolean asking;
    private boolean askAgain;
    private @Nullable Runnable joining;

    // Of a standby.
    private long adoptedEpoch;
    private long adoptedNumber;

    Configurations(PairThread thread, HostThread hosting) {
        this.thread = thread;
        this.hosting = hosting;
    }

    /** The host has another configuration; it is asked for it. */
    void changed(long epoch, BooleanSupplier leads, LinkSource link) {
        if (asking) {
            askAgain = true;
            return;
        }
        asking = true;
        awaited.asked();
        hosting.run(() -> {
                    byte[] now = leads.getAsBoolean() ? hosting.host().configuration() : null;
                    thread.execute(() -> onArchive(now, epoch, leads, link));
                })
                .exceptionally(failure -> {
                    LOG.error("The configuration cannot be given to the other node", failure);
                    thread.execute(() -> onArchive(null, epoch, leads, link));
                    return null;
                });
    }

    private void onArchive(byte @Nullable [] now, long epoch, BooleanSupplier leads, LinkSource link) {
        asking = false;
        if (now != null && now.length > ARCHIVE_MAX_BYTES) {
            LOG.error(
                    "The configuration has {} bytes, and at most {} can be given to the other node: delete uploaded"
                            + " files that are not used",
                    now.length,
                    ARCHIVE_MAX_BYTES);
            awaited.notTaken("the configuration has " + now.length + " bytes, and at most " + ARCHIVE_MAX_BYTES
                    + " can be given to the standby: delete uploaded files that are not used");
        } else if (now != null && !Arrays.equals(now, archive)) {
            archive = now;
            number++;
        }
        if (now == null) {
            awaited.notTaken("the configuration could not be given to the standby: the log says why");
        } else {
            awaited.taken(number);
        }
        if (!leads.getAsBoolean()) {
            return;
        }
        LinkConnection present = link.get();
        if (present != null && present.equals(sentOn)) {
            send(epoch, present);
        }
        Runnable waiting = joining;
        joining = null;
        if (waiting != null && now != null) {
            waiting.run();
        }
        if (askAgain) {
            askAgain = false;
            changed(epoch, leads, link);
        }
    }

    /** The other node asks to follow: it gets the configuration, and then {@code then} is run. */
    void join(long epoch, LinkConnection link, BooleanSupplier leads, LinkSource current, Runnable then) {
        if (archive == null) {
            joining = () -> {
                if (link.equals(current.get())) {
                    send(epoch, link);
                    then.run();
                }
            };
            changed(epoch, leads, current);
            return;
        }
        send(epoch, link);
        then.run();
    }

    private void send(long epoch, LinkConnection link) {
        byte[] present = archive;
        if (present != null && !(link.equals(sentOn) && sent == number)) {
            sentOn = link;
            sent = number;
            link.send(new PairMessage.Configuration(epoch, number, present));
        }
    }

    /** A change waits until the standby has it; {@link #changed} comes next. */
    void await(CompletableFuture<String> answer) {
        awaited.add(answer);
    }

    /** The standby has answered. */
    void kept(PairMessage.ConfigurationKept answer) {
        if (!answer.problem().isEmpty()) {
            LOG.error(
                    "The other node has not adopted the configuration: {}. It keeps its own until the next change",
                    answer.problem());
        }
        awaited.kept(answer.number(), answer.problem());
    }

    /** The standby is not in sync. */
    void standbyIsOut() {
        awaited.standbyIsOut();
    }

    /** This node leads no more. */
    void end(String why) {
        awaited.end("this node is not active any more: " + why
                + ". Ask the active node whether it has the change, and make it there if not");
    }

    /**
     * The active node has sent its configuration to this one, which does not lead.
     *
     * @param reply hears, on the thread, what became of it
     */
    void received(PairMessage.Configuration message, BooleanSupplier leads, Consumer<PairMessage> reply) {
        boolean isNew =
                message.epoch() > adoptedEpoch || message.epoch() == adoptedEpoch && message.number() > adoptedNumber;
        if (isNew) {
            adoptedEpoch = message.epoch();
            adoptedNumber = message.number();
        }
        hosting.run(() -> {
                    if (isNew && !leads.getAsBoolean()) {
                        hosting.host().adoptConfiguration(message.archive());
                    }
                })
                .whenComplete((done, failure) -> thread.execute(() -> adopted(message, failure, reply)));
    }

    private void adopted(PairMessage.Configuration message, @Nullable Throwable failure, Consumer<PairMessage> reply) {
        String problem = "";
        if (failure != null) {
            LOG.error(
                    "The configuration of the active node was not adopted. This node keeps its own until the next"
                            + " change there, or until it connects again",
                    failure);
            problem = String.valueOf(failure.getMessage());
            if (message.epoch() == adoptedEpoch && message.number() == adoptedNumber) {
                adoptedNumber--; // so that it is tried again when it comes again
            }
        }
        reply.accept(new PairMessage.ConfigurationKept(message.epoch(), message.number(), problem));
    }

    /** The link of now. */
    @FunctionalInterface
    interface LinkSource {
        @Nullable LinkConnection get();
    }
}

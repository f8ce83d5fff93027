package dev.avocet.ha;

import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.role.PairMessage;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
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
        } else if (now != null && !Arrays.equals(now, archive)) {
            archive = now;
            number++;
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

    /** The active node has sent its configuration to this one, which does not lead. */
    void received(PairMessage.Configuration message, BooleanSupplier leads) {
        if (message.epoch() < adoptedEpoch || message.epoch() == adoptedEpoch && message.number() <= adoptedNumber) {
            return;
        }
        adoptedEpoch = message.epoch();
        adoptedNumber = message.number();
        hosting.run(() -> {
                    if (!leads.getAsBoolean()) {
                        hosting.host().adoptConfiguration(message.archive());
                    }
                })
                .exceptionally(failure -> {
                    LOG.error(
                            "The configuration of the active node was not adopted. This node keeps its own until the"
                                    + " next change there",
                            failure);
                    return null;
                });
    }

    /** The link of now. */
    @FunctionalInterface
    interface LinkSource {
        @Nullable LinkConnection get();
    }
}

package dev.avocet.ha;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.JournalException;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a life that has ended is followed by another one: the host stops, the log is closed and opened anew, and where
 * the disk has no room for that it is attempted again. Thread of the pair; what blocks is done on that of the host.
 */
final class NextLife {
    private final PairThread thread;
    private final HostThread hosting;
    private final RoomShortage room;
    private final ToldStatus status;
    private final Opening opening;
    private final Consumer<MemberLife> opened;
    private final BooleanSupplier isOver;
    private final BiConsumer<String, Throwable> failed;

    /**
     * @param opening opens the log
     * @param opened has that life begin
     * @param isOver whether no life is to follow
     * @param failed hears that none can follow, and why
     */
    NextLife(
            PairThread thread,
            HostThread hosting,
            RoomShortage room,
            ToldStatus status,
            Opening opening,
            Consumer<MemberLife> opened,
            BooleanSupplier isOver,
            BiConsumer<String, Throwable> failed) {
        this.thread = thread;
        this.hosting = hosting;
        this.room = room;
        this.status = status;
        this.opening = opening;
        this.opened = opened;
        this.isOver = isOver;
        this.failed = failed;
    }

    /** Another life takes the place of this one, once the host has stopped, that was done, and a while has passed. */
    void follow(MemberLife ended, String why, LifeOwner.StoreChange between, Duration pause) {
        hosting.run(() -> {
                    hosting.host().stopServing(why);
                    ended.close();
                    between.run();
                    thread.after(pause, this::open);
                })
                .exceptionally(this::notOpened);
    }

    private void open() {
        if (!isOver.getAsBoolean()) {
            hosting.run(() -> {
                        MemberLife next = opening.open();
                        thread.execute(() -> opened.accept(next));
                    })
                    .exceptionally(this::notOpened);
        }
    }

    private @Nullable Void notOpened(Throwable failure) {
        thread.execute(() -> {
            if (DiskFullException.isCauseOf(failure)) {
                Duration pause = room.begins();
                status.tell(status.now().role(), "");
                thread.after(pause, this::open);
            } else {
                failed.accept("The store of this node cannot be opened again: " + failure.getMessage(), failure);
            }
        });
        return null;
    }

    /** Opens the log for another life. Blocks on the disk. */
    @FunctionalInterface
    interface Opening {
        MemberLife open() throws JournalException;
    }
}

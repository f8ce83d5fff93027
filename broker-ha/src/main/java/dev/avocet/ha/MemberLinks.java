package dev.avocet.ha;

import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.link.LinkListener;
import dev.avocet.ha.link.LinkRefusal;
import dev.avocet.ha.log.RecordBytes;
import dev.avocet.ha.role.PairMessage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows the link of now, and passes on what it says to the life of now. Thread of the pair, which is the link's, too.
 */
final class MemberLinks implements LinkListener {
    private final PairThread thread;
    private final Shipper shipper;
    private final Supplier<@Nullable MemberLife> life;
    private @Nullable LinkConnection connection;

    /** @param life of now, or null between two lives; asked on the thread of the pair */
    MemberLinks(PairThread thread, Shipper shipper, Supplier<@Nullable MemberLife> life) {
        this.thread = thread;
        this.shipper = shipper;
        this.life = life;
    }

    @Nullable LinkConnection present() {
        return connection;
    }

    void close(String why) {
        LinkConnection present = connection;
        connection = null;
        if (present != null) {
            present.close(why);
        }
    }

    @Override
    public void up(LinkConnection link) {
        thread.heard(() -> {
            connection = link;
            MemberLife present = life.get();
            if (present != null) {
                present.linkUp(link);
            }
        });
    }

    @Override
    public void received(LinkConnection link, PairMessage message) {
        if (message instanceof PairMessage.Records records) {
            if (!RecordBytes.areWhole(records)) {
                link.close("the other node has sent records that are damaged");
                return;
            }
            int bytes = ((byte[]) records.records()).length;
            received(link, records, bytes);
        } else if (message instanceof PairMessage.Part part) {
            received(link, part, ((byte[]) part.content()).length);
        } else {
            thread.heard(() -> {
                MemberLife present = life.get();
                if (present != null) {
                    present.received(link, message);
                }
            });
        }
    }

    private void received(LinkConnection link, PairMessage message, int bytes) {
        thread.heard(() -> {
            MemberLife present = life.get();
            if (present != null) {
                present.received(link, message, bytes);
            }
        });
    }

    @Override
    public void hasCredit(LinkConnection link) {
        shipper.wake();
    }

    @Override
    public void down(LinkConnection link, String why) {
        shipper.wake();
        thread.heard(() -> {
            if (link.equals(connection)) {
                connection = null;
            }
            MemberLife present = life.get();
            if (present != null) {
                present.linkDown(link);
            }
        });
    }

    @Override
    public void refused(LinkRefusal refused) {
        if (refused.reason() == LinkRefusal.Reason.OLDER_EPOCH) {
            thread.heard(() -> {
                MemberLife present = life.get();
                if (present != null) {
                    present.doubt();
                }
            });
        }
    }
}

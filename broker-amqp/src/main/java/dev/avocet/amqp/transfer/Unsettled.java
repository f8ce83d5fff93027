package dev.avocet.amqp.transfer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of a session that its client has got and not settled, by their identifiers: a ring for the latest
 * ones, which are in most cases all, and a map for those that a client leaves while it settles thousands of later ones.
 * So its size goes by how many there are, and not by how far apart. Nothing is allocated for a delivery.
 *
 * <p>Identifiers are numbers of a sequence [RFC 1982]: they go round. Owned by the connection's loop.
 */
public final class Unsettled {
    private static final int FIRST_LENGTH = 16;
    private static final int MOST = 1 << 14;

    /** What stays where it was once more deliveries came than the ring has room for. */
    private record Straggler(OutgoingLink link, Object kept) {}

    private final Map<Integer, Straggler> stragglers = new LinkedHashMap<>(0);
    /** The links of what is in {@link #kept}; a slot without that may name any. */
    private @Nullable OutgoingLink[] links = new OutgoingLink[FIRST_LENGTH];

    private @Nullable Object[] kept = new Object[FIRST_LENGTH];
    /** No identifier before this one is in the ring. */
    private int oldest;
    /** Nor this, or one behind it. */
    private int next;

    /** What is told of each delivery of a link. */
    public interface Visitor {
        void visit(int deliveryId, Object kept);
    }

    /** @param deliveryId behind all that were added before */
    void add(int deliveryId, OutgoingLink link, Object what) {
        makeRoom(deliveryId);
        int slot = slot(deliveryId);
        if (links[slot] != link) { // a reference that is stored costs more than a comparison
            links[slot] = link;
        }
        kept[slot] = what;
        next = deliveryId + 1;
    }

    /** The link of a delivery; null when it is settled, or never was. */
    @Nullable OutgoingLink link(int deliveryId) {
        if (isInRing(deliveryId)) {
            int slot = slot(deliveryId);
            return kept[slot] == null ? null : links[slot];
        }
        Straggler straggler = stragglers.isEmpty() ? null : stragglers.get(deliveryId);
        return straggler == null ? null : straggler.link;
    }

    /** Takes out a delivery of which there is a {@link #link}. */
    Object take(int deliveryId) {
        if (isInRing(deliveryId)) {
            int slot = slot(deliveryId);
            Object taken = kept[slot];
            kept[slot] = null;
            assert taken != null : "delivery " + deliveryId;
            return taken;
        }
        return stragglers.remove(deliveryId).kept;
    }

    /** The first identifier at or behind this one that may be in the ring. */
    int firstFrom(int deliveryId) {
        skipSettled();
        return deliveryId - oldest < 0 ? oldest : deliveryId;
    }

    /** The last one at or before this one that may be in the ring; before the first when there is none. */
    int lastTo(int deliveryId) {
        return deliveryId - next < 0 ? deliveryId : next - 1;
    }

    /** Those that are not in the ring, in the order in which they were sent. */
    int[] stragglers() {
        return stragglers.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    boolean hasStragglers() {
        return !stragglers.isEmpty();
    }

    /** All deliveries of a link, in the order in which they were sent; nothing is added or taken meanwhile. */
    void visit(OutgoingLink link, Visitor visitor) {
        stragglers.forEach((id, straggler) -> {
            if (straggler.link == link) {
                visitor.visit(id, straggler.kept);
            }
        });
        for (int id = oldest; id != next; id++) {
            Object what = kept[slot(id)];
            if (what != null && links[slot(id)] == link) {
                visitor.visit(id, what);
            }
        }
    }

    /** Drops all deliveries of a link, which has ended. */
    void forget(OutgoingLink link) {
        stragglers.values().removeIf(straggler -> straggler.link == link);
        for (int slot = 0; slot < links.length; slot++) {
            if (links[slot] == link) {
                links[slot] = null;
                kept[slot] = null;
            }
        }
    }

    private boolean isInRing(int deliveryId) {
        return deliveryId - oldest >= 0 && deliveryId - next < 0;
    }

    private int slot(int deliveryId) {
        return deliveryId & (kept.length - 1);
    }

    private void skipSettled() {
        while (oldest != next && kept[slot(oldest)] == null) {
            oldest++;
        }
    }

    private void makeRoom(int deliveryId) {
        if (deliveryId - oldest >= kept.length) {
            skipSettled();
        }
        while (oldest != next && deliveryId - oldest >= kept.length) {
            if (kept.length < MOST) {
                grow();
            } else {
                setAside();
            }
        }
        if (oldest == next) {
            oldest = deliveryId;
        }
    }

    private void grow() {
        @Nullable OutgoingLink[] formerLinks = links;
        @Nullable Object[] former = kept;
        links = new OutgoingLink[former.length * 2];
        kept = new Object[former.length * 2];
        for (int id = oldest; id != next; id++) {
            int from = id & (former.length - 1);
            links[slot(id)] = formerLinks[from];
            kept[slot(id)] = former[from];
        }
    }

    private void setAside() {
        int slot = slot(oldest);
        Object what = kept[slot];
        OutgoingLink link = links[slot];
        if (what != null && link != null) {
            stragglers.put(oldest, new Straggler(link, what));
            kept[slot] = null;
        }
        oldest++;
        skipSettled();
    }
}

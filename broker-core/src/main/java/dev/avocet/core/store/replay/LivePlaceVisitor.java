package dev.avocet.core.store.replay;

/** Sees where something lies that is alive. */
@FunctionalInterface
public interface LivePlaceVisitor {
    /** A reference to the message at this position, which takes so many bytes there. */
    void onPlace(long position, int storedBytes);
}

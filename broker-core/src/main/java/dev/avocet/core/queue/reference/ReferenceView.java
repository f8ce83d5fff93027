package dev.avocet.core.queue.reference;

/** Some references as they were at one moment. Any thread. */
public interface ReferenceView {
    void forEach(ReferenceVisitor visitor);
}

package dev.avocet.core.queue;

/** Some references as they were at one moment. Any thread. */
interface ReferenceView {
    void forEach(ReferenceVisitor visitor);
}

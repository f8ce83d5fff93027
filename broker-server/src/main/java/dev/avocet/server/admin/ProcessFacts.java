package dev.avocet.server.admin;

import java.util.List;

/** What there is to tell about the process. Any thread. */
public interface ProcessFacts {
    /** How it is. */
    Health health();

    /** What keeps clients from being served, in words; empty when nothing does. */
    default List<String> problems() {
        return health().status() == Health.Status.RUNNING ? List.of() : List.of("the broker is " + health().status());
    }
}

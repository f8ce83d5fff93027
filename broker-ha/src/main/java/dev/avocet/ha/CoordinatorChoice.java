package dev.avocet.ha;

import java.nio.file.Path;

/** Where the register lies. */
public sealed interface CoordinatorChoice {
    /**
     * In a group of both brokers and an arbiter.
     *
     * @param directory where this member keeps the group's log
     */
    record Group(Path directory) implements CoordinatorChoice {}

    /** @param servers {@code HOST:PORT,HOST:PORT} */
    record ZooKeeper(String servers) implements CoordinatorChoice {}

    /** @param directory on a disk that both brokers share */
    record SharedDirectory(Path directory) implements CoordinatorChoice {}
}

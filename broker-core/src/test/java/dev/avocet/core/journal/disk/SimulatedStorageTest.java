package dev.avocet.core.journal.disk;

import dev.avocet.testkit.FaultyStorage;

class SimulatedStorageTest extends StorageContractTest {
    private final Storage storage = new FaultyStorage();

    @Override
    Storage storage() {
        return storage;
    }
}

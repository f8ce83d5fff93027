package dev.avocet.core.journal;

class DiskStorageTest extends StorageContractTest {
    private final Storage storage = new DiskStorage();

    @Override
    Storage storage() {
        return storage;
    }
}

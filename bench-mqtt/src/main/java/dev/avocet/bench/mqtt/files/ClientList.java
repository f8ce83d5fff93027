package dev.avocet.bench.mqtt.files;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads lists of clients. */
public final class ClientList {
    private static final String OPTION = "--client-list";

    private ClientList() {}

    /** @throws IllegalArgumentException when it cannot be used; says where */
    public static List<ListedClient> read(Path file) {
        List<ListedClient> clients = new Documents(OPTION).read(file, ListedClient.class);
        if (clients.isEmpty()) {
            throw new IllegalArgumentException(OPTION + ": " + file + " has no clients");
        }
        Set<String> identifiers = new HashSet<>();
        for (ListedClient client : clients) {
            String id = client.id();
            if (id != null && !id.isEmpty() && !identifiers.add(id)) {
                throw new IllegalArgumentException(OPTION + ": " + file + ": two clients are called " + id
                        + ", of whom a server lets only one stay [MQTT-3.1.4-3]");
            }
        }
        return clients;
    }
}

package dev.avocet.server.export;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.tls.ticket.SharedTickets;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the configuration of one node of a pair the same as that of the other: objects with their secrets, users,
 * certificates and keys, and the keys of session tickets, which are written nowhere. What a node is called and where
 * its administration listens stay its own, and so does the address of an endpoint that names one. Not for event loops;
 * thread-safe.
 */
public final class ConfigurationCopy {
    private static final List<String> OWN_VALUES = List.of("ServerName", "ServerUID");
    private static final String ADMIN_ENDPOINT = "AdminEndpoint";
    private static final List<String> OWN_ADMIN_ADDRESS = List.of("Interface", "Port");
    private static final String ENDPOINT = "Endpoint";
    private static final String ADDRESS = "Interface";
    private static final String EVERY_ADDRESS = "All";

    private final ConfigurationStore objects;
    private final SecurityFiles files;
    private final SharedTickets tickets;

    /** @param dataDirectory where the folders {@code security} and {@code files} are */
    public ConfigurationCopy(ConfigurationStore objects, Path dataDirectory, SharedTickets tickets) {
        this.objects = objects;
        this.files = new SecurityFiles(dataDirectory);
        this.tickets = tickets;
    }

    /** All of it, for the other node; holds secrets. */
    public byte[] take() throws IOException {
        return new ExportContent(objects.current(), files.read(), tickets.given()).encoded();
    }

    /**
     * Has this node go by what the other one has taken. Files come first, as objects name them. Files that only this
     * node has stay.
     *
     * @throws ExportException when it is not what this version of the broker knows
     * @throws ConfigurationRefusedException when the objects break a rule here; then only files were written
     */
    public void adopt(byte[] copy, ChangeOrigin origin)
            throws ExportException, ConfigurationRefusedException, ConfigurationStoreException, IOException {
        ExportContent content = ExportContent.decode(copy);
        tickets.received(content.tickets());
        for (String name : files.missingOrDifferent(content.files(), false)) {
            files.write(name, content.files().get(name));
        }
        var unused = objects.adopt(withOwnAddresses(content.configuration(), objects.current()), origin);
    }

    static Configuration withOwnAddresses(Configuration copied, Configuration own)
            throws ConfigurationRefusedException {
        Map<String, Object> tree = new LinkedHashMap<>(ConfigurationTree.stored(copied));
        Map<String, Object> ownTree = ConfigurationTree.stored(own);
        OWN_VALUES.forEach(name -> tree.put(name, ownTree.get(name)));
        tree.put(
                ADMIN_ENDPOINT,
                with(map(tree.get(ADMIN_ENDPOINT)), map(ownTree.get(ADMIN_ENDPOINT)), OWN_ADMIN_ADDRESS));
        Map<String, Object> endpoints = map(tree.get(ENDPOINT));
        Map<String, Object> ownEndpoints = map(ownTree.get(ENDPOINT));
        endpoints.replaceAll((name, endpoint) -> {
            Map<String, Object> before = map(ownEndpoints.get(name));
            boolean isOwn = before.containsKey(ADDRESS) && !EVERY_ADDRESS.equals(before.get(ADDRESS));
            return isOwn ? with(map(endpoint), before, List.of(ADDRESS)) : endpoint;
        });
        tree.put(ENDPOINT, endpoints);
        return ConfigurationTree.restored(tree);
    }

    private static Map<String, Object> with(Map<String, Object> object, Map<String, Object> own, List<String> names) {
        names.forEach(name -> object.put(name, own.get(name)));
        return object;
    }

    private static Map<String, Object> map(@org.jspecify.annotations.Nullable Object tree) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (tree instanceof Map<?, ?> members) {
            members.forEach((name, value) -> copy.put(String.valueOf(name), value));
        }
        return copy;
    }
}

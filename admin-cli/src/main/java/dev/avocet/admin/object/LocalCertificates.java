package dev.avocet.admin.object;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.schema.TypeSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Certificates that an object names and that are files of this machine: they are uploaded first. */
final class LocalCertificates {
    private static final String PROFILE = "CertificateProfile";
    private static final List<String> OF_PROFILE = List.of("Certificate", "Key");
    private static final Set<String> NAMED_BY_FILE = Set.of("TrustedCertificate", "ClientCertificate");

    private final TypeSchema type;
    private final FileApi files;

    LocalCertificates(TypeSchema type, AdminClient client) {
        this.type = type;
        this.files = new FileApi(client);
    }

    /** Whether a change takes files with it that are here. */
    boolean wouldUpload(String name, Map<String, Object> given) {
        return NAMED_BY_FILE.contains(type.name()) && isLocal(name)
                || type.name().equals(PROFILE)
                        && OF_PROFILE.stream()
                                .anyMatch(property -> given.get(property) instanceof String file && isLocal(file));
    }

    /** What the object is called, when its name is that of a file. */
    String uploadedName(String name) throws AdminException {
        return NAMED_BY_FILE.contains(type.name()) && isLocal(name)
                ? files.putFor(Path.of(name), type.name() + " '" + FileApi.nameOf(Path.of(name)) + "'")
                : name;
    }

    /** The properties, with the names that the files have there. */
    Map<String, Object> uploaded(String name, Map<String, Object> given) throws AdminException {
        if (!type.name().equals(PROFILE)) {
            return given;
        }
        Map<String, Object> named = new LinkedHashMap<>(given);
        for (String property : OF_PROFILE) {
            if (given.get(property) instanceof String file && isLocal(file)) {
                named.put(property, files.putFor(Path.of(file), PROFILE + " '" + name + "'"));
            }
        }
        return named;
    }

    private static boolean isLocal(String file) {
        return !file.isEmpty() && Files.isRegularFile(Path.of(file));
    }
}

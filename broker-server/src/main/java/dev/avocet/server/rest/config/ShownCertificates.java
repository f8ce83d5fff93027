package dev.avocet.server.rest.config;

import dev.avocet.core.tls.key.CertificateFacts;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.rest.request.PresentBroker;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds to shown certificate profiles what their files say. */
final class ShownCertificates {
    private static final String PROFILE = "CertificateProfile";

    private final PresentBroker broker;

    /** @param broker null while none serves clients */
    ShownCertificates(PresentBroker broker) {
        this.broker = broker;
    }

    /** The tree, as it is but for the profiles in it. */
    Map<String, Object> in(Map<String, Object> tree) {
        RunningBroker running = broker.get();
        UploadedFiles files = running == null ? null : running.files();
        if (files == null || !(tree.get(PROFILE) instanceof Map<?, ?> profiles)) {
            return tree;
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        profiles.forEach((name, profile) -> shown.put(String.valueOf(name), withExpiry((Map<?, ?>) profile, files)));
        Map<String, Object> all = new LinkedHashMap<>(tree);
        all.put(PROFILE, shown);
        return all;
    }

    private static Map<Object, Object> withExpiry(Map<?, ?> profile, UploadedFiles files) {
        Map<Object, Object> shown = new LinkedHashMap<>(profile);
        try {
            String file = String.valueOf(profile.get("Certificate"));
            shown.put(
                    "ExpirationDate",
                    CertificateFacts.of(files.folder().resolve(file)).expiry().toString());
        } catch (TlsException e) {
            shown.put("ExpirationDate", ""); // the log says what is wrong with it
        }
        return shown;
    }
}

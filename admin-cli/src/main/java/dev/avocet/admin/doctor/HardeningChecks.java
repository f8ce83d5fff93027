package dev.avocet.admin.doctor;

import dev.avocet.admin.schema.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the objects and the startup file leave open to attackers, by the hardening guide of docs/security.md. */
final class HardeningChecks {
    private final Map<String, @Nullable Object> configuration;
    private final Map<String, @Nullable Object> startup;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Looks at nothing yet.
     *
     * @param configuration the objects, as the broker shows them; empty when they are not known
     * @param startup the startup file
     */
    HardeningChecks(Map<String, @Nullable Object> configuration, Map<String, @Nullable Object> startup) {
        this.configuration = configuration;
        this.startup = startup;
    }

    List<Finding> findings() {
        objects("Endpoint").forEach(this::endpoint);
        objects("SecurityProfile").forEach(this::profile);
        objects("OAuthProfile").forEach(this::tokens);
        objects("LTPAProfile").forEach(this::ltpa);
        if (configuration.get("LDAP") instanceof Map<?, ?> directory) {
            directory(directory);
        }
        if (configuration.get("AdminEndpoint") instanceof Map<?, ?> administration) {
            administration(administration);
        }
        startupFile();
        boolean quiet = findings.stream().allMatch(finding -> finding.level() == Finding.Level.OK);
        if (quiet && !configuration.isEmpty()) {
            findings.add(Finding.ok("hardening", "the objects leave open nothing that docs/security.md warns of"));
        }
        return findings;
    }

    private void endpoint(String name, Map<?, ?> endpoint) {
        Map<?, ?> profile = objects("SecurityProfile").get(text(endpoint, "SecurityProfile"));
        if (!isTrue(endpoint, "Enabled") || isLocal(endpoint) || profile == null) {
            return; // one without a profile is told of by BrokerChecks
        }
        String subject = "endpoint " + name;
        if (!isTrue(profile, "TLSEnabled")) {
            findings.add(Finding.warn(
                    subject,
                    "can be reached by others without TLS: passwords and messages can be read on the way",
                    "let TLSEnabled of its SecurityProfile be true"));
        }
        boolean byKey = !text(profile, "PreSharedKeys").isEmpty();
        if (!isTrue(profile, "UsePasswordAuthentication") && !isTrue(profile, "UseClientCertificate") && !byKey) {
            findings.add(Finding.fail(
                    subject,
                    "can be reached by others and lets clients in without a password, a certificate or a key",
                    "let UsePasswordAuthentication or UseClientCertificate of its SecurityProfile be true"));
        }
        if (text(endpoint, "TopicPolicies").contains("DemoTopicPolicy")) {
            findings.add(Finding.warn(
                    subject,
                    "has the sample DemoTopicPolicy, by which every client may publish and subscribe everywhere",
                    "give it policies of your own"));
        }
    }

    private void profile(String name, Map<?, ?> profile) {
        String subject = "SecurityProfile " + name;
        if (text(profile, "Ciphers").equals("Fast")) {
            findings.add(Finding.warn(
                    subject,
                    "offers a cipher suite without forward secrecy (Ciphers Fast)",
                    "let Ciphers be Medium or Best, unless clients know nothing better"));
        }
        if (isTrue(profile, "AllowNullPassword")) {
            findings.add(Finding.warn(
                    subject, "lets users without a password in (AllowNullPassword)", "give those users passwords"));
        }
        if (isTrue(profile, "UseClientCertificate")
                && text(profile, "CRLProfile").isEmpty()) {
            findings.add(Finding.warn(
                    subject,
                    "takes client certificates and asks no list of revoked ones",
                    "name a CRLProfile, so that a stolen certificate can be shut out"));
        }
    }

    private void tokens(String name, Map<?, ?> profile) {
        String subject = "OAuthProfile " + name;
        boolean bySignature = text(profile, "TokenCheck").equals("KeySet");
        String server = text(profile, bySignature ? "KeySetSource" : "ResourceURL");
        if (isPlain(server, "http:")) {
            findings.add(Finding.fail(
                    subject, server + " is not encrypted: an attacker on the way lets anyone in", "use https"));
        } else if (text(profile, "CheckServerCert").equals("DisableVerify")) {
            findings.add(Finding.fail(
                    subject,
                    "does not check the server's certificate: an attacker on the way lets anyone in",
                    "let CheckServerCert be PublicTrust or TrustStore"));
        }
        if (bySignature && text(profile, "Audience").isEmpty()) {
            findings.add(Finding.warn(
                    subject, "takes tokens that are for other services", "let Audience be this broker's name"));
        }
        if (text(profile, "TokenCheck").equals("Resource")
                && text(profile, "TokenSendMethod").equals("URLParam")) {
            findings.add(Finding.warn(
                    subject,
                    "sends tokens in URLs, which logs of the server may hold",
                    "let TokenSendMethod be HTTPHeader, if the server knows it"));
        }
    }

    private void ltpa(String name, Map<?, ?> profile) {
        if (List.of(text(profile, "TokenVersions").split(",", -1)).contains("LtpaToken")) {
            findings.add(Finding.warn(
                    "LTPAProfile " + name,
                    "takes the older LtpaToken, whose end is not signed",
                    "let TokenVersions be LtpaToken2"));
        }
    }

    private void directory(Map<?, ?> directory) {
        String servers = text(directory, "URL");
        if (!isTrue(directory, "Enabled") || servers.isEmpty()) {
            return;
        }
        if (isPlain(servers, "ldap:") && !isTrue(directory, "StartTLS")) {
            findings.add(Finding.fail(
                    "LDAP", "passwords go to " + servers + " in the clear", "use ldaps://, or let StartTLS be true"));
        } else if (text(directory, "CheckServerCert").equals("DisableVerify")) {
            findings.add(Finding.fail(
                    "LDAP",
                    "does not check the directory's certificate: an attacker on the way reads passwords",
                    "let CheckServerCert be TrustStore or PublicTrust"));
        }
    }

    private void administration(Map<?, ?> endpoint) {
        if (!isLocal(endpoint) && text(endpoint, "SecurityProfile").isEmpty()) {
            findings.add(Finding.fail(
                    "AdminEndpoint",
                    "can be reached by others without TLS: passwords of administrators can be read on the way",
                    "give it a SecurityProfile, or Interface 127.0.0.1"));
        }
    }

    private void startupFile() {
        if (!(startup.get("security") instanceof Map<?, ?> security)) {
            return;
        }
        if (Boolean.FALSE.equals(security.get("throttleLogins"))) {
            findings.add(Finding.warn(
                    "startup file",
                    "security.throttleLogins is off, so passwords can be tried out as fast as they come",
                    "leave it out"));
        }
        if ("always".equals(security.get("allowAnonymous"))) {
            findings.add(Finding.fail(
                    "startup file",
                    "security.allowAnonymous lets clients in without a name, from everywhere",
                    "let it be never or onLoopback"));
        }
    }

    private Map<String, Map<?, ?>> objects(String type) {
        Map<String, Map<?, ?>> found = new LinkedHashMap<>();
        if (configuration.get(type) instanceof Map<?, ?> objects) {
            objects.forEach((name, each) -> {
                if (each instanceof Map<?, ?> object) {
                    found.put(String.valueOf(name), object);
                }
            });
        }
        return found;
    }

    static boolean isLocal(Map<?, ?> endpoint) {
        String address = text(endpoint, "Interface");
        return address.startsWith("127.") || address.equals("::1") || address.equals("[::1]");
    }

    private static boolean isPlain(String servers, String scheme) {
        return List.of(servers.toLowerCase(Locale.ROOT).split(" ", -1)).stream().anyMatch(it -> it.startsWith(scheme));
    }

    private static boolean isTrue(Map<?, ?> object, String property) {
        return Boolean.TRUE.equals(object.get(property));
    }

    private static String text(Map<?, ?> object, String property) {
        return Values.text(object.get(property));
    }
}

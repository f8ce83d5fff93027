package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.security.CRLProfile;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.config.object.security.ClientCertificate;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.security.TrustedCertificate;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.certificates.FileFacts;
import dev.avocet.server.certificates.FileRefusedException;
import dev.avocet.server.certificates.KnownFiles;
import dev.avocet.server.certificates.UploadedFile;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes files, such as certificates and keys, and never gives one back. */
public final class FileRequests {
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String NAME = "Name";

    private final PresentBroker broker;
    private final ConfigurationStore objects;
    private final AuditLog audit;
    private final KnownFiles known = new KnownFiles();

    /** @param broker null while none serves clients */
    public FileRequests(PresentBroker broker, ConfigurationStore objects, AuditLog audit) {
        this.broker = broker;
        this.objects = objects;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/file",
                        "The files that were uploaded: what each is, when its certificate or list runs out, and who uses it;"
                                + " their contents are never shown",
                        READ,
                        this::list),
                new RestRoute(
                                HandlerType.PUT,
                                "/file/{Name}",
                                "Uploads a file: a certificate, a key, or another that objects name",
                                WRITE,
                                this::put)
                        .bringing(RouteBody.FILE),
                new RestRoute(
                        HandlerType.DELETE, "/file/{Name}", "Deletes a file that nothing uses", WRITE, this::delete));
    }

    private void list(Context context, Administrator who) throws Refusal {
        Configuration current = objects.current();
        Map<String, Object> shown = new LinkedHashMap<>();
        List<UploadedFile> present = all();
        known.keepOnly(present);
        for (UploadedFile file : present) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("SizeBytes", file.sizeBytes());
            facts.put("Modified", file.modified().toString());
            facts.put("UsedBy", users(file.name(), current));
            facts.putAll(shown(known.of(files(), file)));
            shown.put(file.name(), facts);
        }
        Answer.objects(context, Map.of("File", shown));
    }

    private void put(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        byte[] bytes = RequestBody.bytes(context, UploadedFiles.MAX_BYTES, "no certificate or key is that large");
        if (bytes.length == 0) {
            throw new Refusal(Code.INVALID, "the request has no body; send the file as it is");
        }
        FileFacts before = facts(name);
        try {
            files().put(name, bytes);
        } catch (FileRefusedException e) {
            throw refusal(e);
        }
        FileFacts now = facts(name);
        Map<String, Object> more = new LinkedHashMap<>();
        if (now != null) {
            more.put("File", Map.of(name, shown(now)));
            List<String> users = users(name, objects.current());
            if (before != null
                    && !users.isEmpty()
                    && (before.kind() != now.kind() || !now.problem().isEmpty())) {
                more.put("Warnings", List.of(warning(name, before, now, users)));
            }
        }
        did(context, who, "uploaded file '" + name + "', " + bytes.length + " bytes", more);
    }

    private static String warning(String name, FileFacts before, FileFacts now, List<String> users) {
        String what = now.problem().isEmpty() ? "is of the kind " + now.kind() + " now" : now.problem();
        return "file '" + name + "' was of the kind " + before.kind() + " and " + what + ", and is used by "
                + String.join(", ", users) + "; upload one that they can use";
    }

    /** What the file is now; null when there is none of that name. */
    private @Nullable FileFacts facts(String name) throws Refusal {
        UploadedFiles files = files();
        return all().stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .map(file -> known.of(files, file))
                .orElse(null);
    }

    private static Map<String, Object> shown(FileFacts facts) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("Kind", facts.kind().toString());
        if (facts.count() > 0) {
            shown.put("Count", facts.count());
        }
        if (!facts.subject().isEmpty()) {
            shown.put("Subject", facts.subject());
        }
        if (!facts.issuer().isEmpty()) {
            shown.put("Issuer", facts.issuer());
        }
        if (facts.expiry() != null) {
            shown.put("ExpirationDate", facts.expiry().toString());
        }
        if (!facts.problem().isEmpty()) {
            shown.put("Problem", facts.problem());
        }
        return shown;
    }

    private void delete(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        List<String> users = users(name, objects.current());
        if (!users.isEmpty()) {
            throw new Refusal(
                    Code.IN_USE, "file '" + name + "' is used by " + String.join(", ", users) + "; change that first");
        }
        try {
            files().delete(name);
        } catch (FileRefusedException e) {
            throw refusal(e);
        }
        did(context, who, "deleted file '" + name + "'", Map.of());
    }

    private void did(Context context, Administrator who, String what, Map<String, ?> more) {
        audit.did(who, what);
        Answer.done(context, Code.DONE, "Done: " + what + ".", more);
    }

    private List<UploadedFile> all() throws Refusal {
        try {
            return files().all();
        } catch (FileRefusedException e) {
            throw refusal(e);
        }
    }

    private UploadedFiles files() throws Refusal {
        RunningBroker running = broker.get();
        UploadedFiles files = running == null ? null : running.files();
        if (files == null) {
            throw broker.absent();
        }
        return files;
    }

    /** The objects that name the file, in words. */
    private static List<String> users(String file, Configuration configuration) {
        Stream<String> profiles = configuration.all(CertificateProfile.class).stream()
                .filter(profile ->
                        profile.certificate().equals(file) || profile.key().equals(file))
                .map(profile -> "CertificateProfile '" + profile.name() + "'");
        Stream<String> trusted = configuration.all(TrustedCertificate.class).stream()
                .filter(each -> each.name().equals(file))
                .map(each -> "TrustedCertificate '" + each.name() + "'");
        Stream<String> clients = configuration.all(ClientCertificate.class).stream()
                .filter(each -> each.name().equals(file))
                .map(each -> "ClientCertificate '" + each.name() + "'");
        Stream<String> lists = configuration.all(CRLProfile.class).stream()
                .filter(each -> each.source().equals(file) || each.deltaSource().equals(file))
                .map(each -> "CRLProfile '" + each.name() + "'");
        Stream<String> keys = configuration.all(SecurityProfile.class).stream()
                .filter(each -> each.preSharedKeys().equals(file))
                .map(each -> "SecurityProfile '" + each.name() + "'");
        Stream<String> tokens = configuration.all(OAuthProfile.class).stream()
                .filter(each ->
                        each.keySetSource().equals(file) || each.keyFileName().equals(file))
                .map(each -> "OAuthProfile '" + each.name() + "'");
        Stream<String> ltpa = configuration.all(LTPAProfile.class).stream()
                .filter(each -> each.keyFileName().equals(file))
                .map(each -> "LTPAProfile '" + each.name() + "'");
        Stream<String> directory =
                configuration.single(LDAP.class).certificate().equals(file) ? Stream.of("LDAP") : Stream.of();
        return Stream.of(profiles, trusted, clients, lists, keys, tokens, ltpa, directory)
                .flatMap(each -> each)
                .toList();
    }

    private static Refusal refusal(FileRefusedException e) {
        Code code =
                switch (e.reason()) {
                    case INVALID -> Code.INVALID;
                    case NOT_FOUND -> Code.NOT_FOUND;
                    case TOO_MANY -> Code.IN_USE;
                    case DISK_FAILED -> Code.NOT_NOW;
                };
        return new Refusal(code, String.valueOf(e.getMessage()));
    }
}

package dev.avocet.server.certificates;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.object.security.CRLProfile;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.config.object.security.ClientCertificate;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.security.TrustedCertificate;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.CertificateFacts;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.objects.ChangeRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Certificates that objects name must be there and of use when the objects are created or changed. Blocks on the disk.
 */
public final class CertificateRules implements ChangeRule {
    private static final String NOT_THERE = "' is not there; upload it first, with 'broker-admin file put'";

    private final Path folder;
    private final Clock clock;

    public CertificateRules(UploadedFiles files, Clock clock) {
        this.folder = files.folder();
        this.clock = clock;
    }

    @Override
    public List<ConfigurationProblem> problems(Configuration before, Configuration after) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        for (ConfigurationDifference.Put put :
                ConfigurationDifference.between(before, after).puts()) {
            String object = put.key().toString();
            if (put.after() instanceof CertificateProfile profile) {
                check(profile, object, problems);
            } else if (put.after() instanceof TrustedCertificate trusted) {
                check(trusted.name(), "TrustedCertificate", object, problems);
            } else if (put.after() instanceof LDAP ldap) {
                if (!ldap.certificate().isEmpty()) {
                    check(ldap.certificate(), "Certificate", object, problems);
                }
            } else if (put.after() instanceof OAuthProfile tokens) {
                checkList(tokens.keySetSource(), "KeySetSource", object, problems);
                if (!tokens.keyFileName().isEmpty()) {
                    check(tokens.keyFileName(), "KeyFileName", object, problems);
                }
            } else if (put.after() instanceof LTPAProfile tokens) {
                isThere(tokens.keyFileName(), "KeyFileName", object, problems);
            } else if (put.after() instanceof ClientCertificate client) {
                check(client.name(), "CertificateName", object, problems);
            } else if (put.after() instanceof SecurityProfile security) {
                checkList(security.preSharedKeys(), "PreSharedKeys", object, problems);
            } else if (put.after() instanceof CRLProfile lists) {
                checkList(lists.source(), "CRLSource", object, problems);
                checkList(lists.deltaSource(), "DeltaCRLSource", object, problems);
            }
        }
        return problems;
    }

    private void check(CertificateProfile profile, String object, List<ConfigurationProblem> problems) {
        boolean hasCertificate = isThere(profile.certificate(), "Certificate", object, problems);
        boolean hasKey = isThere(profile.key(), "Key", object, problems);
        if (!hasCertificate || !hasKey) {
            return;
        }
        Path key = folder.resolve(profile.key());
        try {
            CertificateFacts facts =
                    CertificateFacts.of(new KeySource.Pem(folder.resolve(profile.certificate()), key, null));
            checkDates(facts, "Certificate", object, problems);
        } catch (TlsException e) {
            String property = String.valueOf(e.getMessage()).startsWith(key.toString()) ? "Key" : "Certificate";
            problems.add(problem(object, property, e));
        }
    }

    private void check(String file, String property, String object, List<ConfigurationProblem> problems) {
        if (!isThere(file, property, object, problems)) {
            return;
        }
        try {
            checkDates(CertificateFacts.of(folder.resolve(file)), property, object, problems);
        } catch (TlsException e) {
            problems.add(problem(object, property, e));
        }
    }

    private void checkList(String source, String property, String object, List<ConfigurationProblem> problems) {
        if (!source.isEmpty() && source.indexOf(':') < 0) {
            isThere(source, property, object, problems);
        }
    }

    private boolean isThere(String file, String property, String object, List<ConfigurationProblem> problems) {
        boolean there = Files.isRegularFile(folder.resolve(file));
        if (!there) {
            problems.add(new ConfigurationProblem(Kind.INVALID, object, property, "the file '" + file + NOT_THERE));
        }
        return there;
    }

    private void checkDates(
            CertificateFacts facts, String property, String object, List<ConfigurationProblem> problems) {
        if (facts.expiry().isBefore(Instant.ofEpochMilli(clock.wallTimeMs()))) {
            problems.add(new ConfigurationProblem(
                    Kind.INVALID,
                    object,
                    property,
                    "the certificate of " + facts.subject() + " expired at " + facts.expiry()
                            + "; upload one that is valid"));
        }
    }

    /** Without the folder, which other machines need not know. */
    private ConfigurationProblem problem(String object, String property, TlsException e) {
        String message = String.valueOf(e.getMessage())
                .replace(folder + folder.getFileSystem().getSeparator(), "");
        return new ConfigurationProblem(Kind.INVALID, object, property, message);
    }
}

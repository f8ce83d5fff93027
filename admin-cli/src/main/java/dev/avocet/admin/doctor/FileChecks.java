package dev.avocet.admin.doctor;

import dev.avocet.admin.connection.Patient;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The disk, permissions, certificates and times of the broker's files. */
final class FileChecks {
    private static final long MIB = 1 << 20;
    private static final long LEAST_MIB = 768;
    private static final long COMFORTABLE_MIB = 4_096;
    private static final Duration RENEWAL = Duration.ofDays(30);
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final Set<String> REMOTE = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "fuse.sshfs");
    private static final Set<String> FLEETING = Set.of("tmpfs", "ramfs", "overlay");
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private final Patient patient;
    private final List<Finding> findings = new ArrayList<>();

    FileChecks(Patient patient) {
        this.patient = patient;
    }

    List<Finding> findings() {
        if (!patient.hasFiles()) {
            findings.add(Finding.warn(
                    "data directory",
                    "there is none at " + patient.data(),
                    "name it with --data when it is on this machine; otherwise run doctor there"));
            return findings;
        }
        try {
            disk(Files.getFileStore(patient.data()));
            directory();
            for (Path file : files()) {
                if (Files.exists(file)) { // the broker may have replaced it meanwhile
                    secrecy(file);
                    certificates(file);
                }
            }
            times();
        } catch (IOException e) {
            findings.add(Finding.fail(
                    "data directory", Unreadable.why(patient.data(), e), "run doctor as the user of the broker"));
        }
        return findings;
    }

    private void disk(FileStore disk) throws IOException {
        long freeMib = disk.getUsableSpace() / MIB;
        String found = freeMib + " MiB are free";
        String advice = "the store needs " + LEAST_MIB + " MiB at least, and " + COMFORTABLE_MIB + " MiB to be at ease";
        findings.add(
                freeMib < LEAST_MIB
                        ? Finding.fail("disk", found, advice)
                        : freeMib < COMFORTABLE_MIB ? Finding.warn("disk", found, advice) : Finding.ok("disk", found));
        String type = disk.type().toLowerCase(Locale.ROOT);
        findings.add(
                REMOTE.contains(type)
                        ? Finding.warn(
                                "file system", type, "'sync' is worth what that server promises; use a local disk")
                        : FLEETING.contains(type)
                                ? Finding.warn(
                                        "file system",
                                        type,
                                        "its content goes with the machine or container; use a disk")
                                : Finding.ok("file system", type));
    }

    private void directory() throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(patient.data());
        boolean othersWrite = permissions.contains(PosixFilePermission.OTHERS_WRITE);
        String subject = "permissions of " + patient.data();
        findings.add(
                othersWrite
                        ? Finding.fail(subject, "every user of the machine may write there", "chmod o-rwx")
                        : permissions.stream().anyMatch(OF_OTHERS::contains)
                                ? Finding.warn(subject, "every user of the machine may look into it", "chmod o-rwx")
                                : Finding.ok(subject, "are right"));
    }

    /** Certificates, keys, users. */
    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("security", "files")) {
            Path folder = patient.data().resolve(name);
            if (Files.isDirectory(folder)) {
                files.addAll(FileTree.below(folder, 3).keySet());
            }
        }
        return files;
    }

    private void secrecy(Path file) throws IOException {
        if (!isSecret(file)) {
            return;
        }
        String subject = "permissions of " + Patient.nameOf(file);
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        findings.add(
                permissions.stream().anyMatch(OF_OTHERS::contains)
                        ? Finding.fail(
                                subject, "every user of the machine may read it, and it is secret", "chmod 600 " + file)
                        : Finding.ok(subject, "are right"));
    }

    private static boolean isSecret(Path file) throws IOException {
        String name = Patient.nameOf(file).toLowerCase(Locale.ROOT);
        boolean byName = name.equals("users.json") || name.endsWith(".key") || name.endsWith(".p12");
        return byName || (name.endsWith(".pem") && Files.readString(file).contains("PRIVATE KEY"));
    }

    private void certificates(Path file) throws IOException {
        if (!mayHoldCertificates(file)) {
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                if (each instanceof X509Certificate certificate) {
                    expiry(Patient.nameOf(file), certificate.getNotAfter().toInstant());
                }
            }
        } catch (IOException | CertificateException e) {
            findings.add(Finding.warn(
                    "certificate " + Patient.nameOf(file), "cannot be read: " + e.getMessage(), "is it in PEM?"));
        }
    }

    /** A key alone is no certificate, whatever its file is called. */
    private static boolean mayHoldCertificates(Path file) throws IOException {
        String name = Patient.nameOf(file).toLowerCase(Locale.ROOT);
        boolean byName = name.endsWith(".pem") || name.endsWith(".crt") || name.endsWith(".cer");
        return byName && (!isSecret(file) || Files.readString(file).contains("BEGIN CERTIFICATE"));
    }

    private void expiry(String file, Instant end) {
        Duration left = Duration.between(patient.clock().instant(), end);
        String advice = "put a new one in its place; the broker takes it within seconds";
        String subject = "certificate " + file;
        findings.add(
                left.isNegative()
                        ? Finding.fail(subject, "has expired at " + end, advice)
                        : left.compareTo(RENEWAL) < 0
                                ? Finding.warn(subject, "expires in " + left.toDays() + " days", advice)
                                : Finding.ok(subject, "is good until " + end));
    }

    /** Files of the future say that the clock was set back: messages and sessions expire by it. */
    private void times() throws IOException {
        Instant latest = patient.clock().instant().plus(TOLERANCE);
        for (var file : FileTree.below(patient.data(), 2).entrySet()) {
            if (file.getValue().lastModifiedTime().toInstant().isAfter(latest)) {
                findings.add(Finding.warn(
                        "clock",
                        file.getKey() + " was written in the future",
                        "the clock was set back; keep it right by NTP or chrony"));
                return;
            }
        }
    }
}

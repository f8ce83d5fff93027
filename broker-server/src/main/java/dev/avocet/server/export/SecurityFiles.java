package dev.avocet.server.export;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Certificates, keys and users: the plain files in {@code data/security} and, uploaded by administrators,
 * {@code data/files}.
 */
final class SecurityFiles {
    private static final int LARGEST_BYTES = 1 << 20;
    private static final int MOST = 1_000;
    private static final List<String> FOLDERS = List.of("security", "files");
    private static final Pattern NAME = Pattern.compile("(?:security|files)/[A-Za-z0-9_][A-Za-z0-9._@+ -]{0,254}");

    private final Path data;

    /** @param data where the folders are */
    SecurityFiles(Path data) {
        this.data = data;
    }

    /** What there is, by folder and name. What is too large to be one of these is left out. */
    Map<String, byte[]> read() throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        for (String folder : FOLDERS) {
            if (Files.isDirectory(data.resolve(folder))) {
                read(data.resolve(folder), content);
            }
        }
        return content;
    }

    private void read(Path folder, Map<String, byte[]> content) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> NAME.matcher(nameOf(file)).matches())
                    .sorted()
                    .limit(MOST)
                    .toList();
        }
        for (Path file : files) {
            if (Files.size(file) <= LARGEST_BYTES) {
                content.put(nameOf(file), Files.readAllBytes(file));
            }
        }
    }

    /** Refuses names that would lead out of the folder, and what is too large. */
    static void check(Map<String, byte[]> files) throws ExportException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!NAME.matcher(file.getKey()).matches() || file.getValue().length > LARGEST_BYTES) {
                throw new ExportException("the file '" + file.getKey() + "' in it has a name or a size that none has");
            }
        }
    }

    /** Those that are not there, or not the same. */
    List<String> missingOrDifferent(Map<String, byte[]> files, boolean onlyDifferent) throws IOException {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path present = data.resolve(file.getKey());
            boolean isThere = Files.exists(present);
            if (isThere ? !Arrays.equals(Files.readAllBytes(present), file.getValue()) : !onlyDifferent) {
                names.add(file.getKey());
            }
        }
        return names;
    }

    /** Writes one as a whole or not at all, for the broker's eyes only. */
    void write(String name, byte[] content) throws IOException {
        Path file = data.resolve(name);
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        Path beside = Files.createTempFile(folder, ".import", null, ownersOnly());
        try {
            Files.write(beside, content);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    static FileAttribute<?>[] ownersOnly() {
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private String nameOf(Path file) {
        return data.relativize(file).toString().replace(File.separatorChar, '/');
    }
}

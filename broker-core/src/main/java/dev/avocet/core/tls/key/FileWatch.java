package dev.avocet.core.tls.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Notices that files have changed, by looking at their attributes: that works for links that are swapped and on network
 * drives too. A change is told only when everything has stayed the same since the look before, so that a user who
 * copies a certificate and its key has time for both. Owned by the thread that looks.
 */
public final class FileWatch {
    private final List<Path> files;
    private Map<Path, String> told;
    private Map<Path, String> seen;

    /** Begins with the files as they are now. */
    public FileWatch(List<Path> files) {
        this.files = List.copyOf(files);
        this.told = look();
        this.seen = told;
    }

    /** True once after each change. */
    public boolean hasChanged() {
        Map<Path, String> now = look();
        boolean settled = now.equals(seen);
        seen = now;
        if (!settled || now.equals(told)) {
            return false;
        }
        told = now;
        return true;
    }

    private Map<Path, String> look() {
        Map<Path, String> stamps = new HashMap<>();
        for (Path file : files) {
            stamps.put(file, stamp(file));
        }
        return stamps;
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
        } catch (IOException e) {
            return "";
        }
    }
}

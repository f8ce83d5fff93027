package dev.avocet.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names of files twice: as programs see them, and as the disk has them. Under the lock of its {@link FaultyStorage}.
 */
final class SimulatedDisk {
    private final Map<Path, SimulatedFile> seen = new TreeMap<>();
    private final Map<Path, SimulatedFile> durable = new TreeMap<>();
    /** In the order in which they were made; a disk loses the last ones first. */
    private final List<Change> unforced = new ArrayList<>();

    @Nullable SimulatedFile file(Path path) {
        return seen.get(path);
    }

    List<Path> list(Path directory) {
        return seen.keySet().stream()
                .filter(path -> directory.equals(path.getParent()))
                .toList();
    }

    /** Whether a directory has something in it. */
    boolean isDirectory(Path path) {
        return !below(seen, path).isEmpty();
    }

    private static List<Path> below(Map<Path, SimulatedFile> names, Path directory) {
        return names.keySet().stream()
                .filter(path -> path.startsWith(directory) && !path.equals(directory))
                .toList();
    }

    long sizeBytes() {
        return seen.values().stream().mapToLong(SimulatedFile::size).sum();
    }

    SimulatedFile create(Path path) {
        SimulatedFile file = new SimulatedFile();
        change(new Change(path, null, file));
        return file;
    }

    void rename(Path from, Path to, SimulatedFile file) {
        change(new Change(to, from, file));
    }

    /** With all that is in it. */
    void renameDirectory(Path from, Path to) {
        change(new Change(to, from, null));
    }

    void delete(Path path) {
        change(new Change(path, null, null));
    }

    /** A directory that has moved took with it what was done in it before. */
    void force(Path directory) {
        List<Path> moved = unforced.stream()
                .filter(change -> change.isOfDirectory() && change.isIn(directory))
                .map(change -> change.from)
                .toList();
        unforced.removeIf(change -> {
            boolean lasts = change.isIn(directory) || moved.stream().anyMatch(change.path::startsWith);
            if (lasts) {
                change.applyTo(durable);
            }
            return lasts;
        });
    }

    void losePower(@Nullable SplittableRandom kept) {
        int lasting = kept == null ? 0 : kept.nextInt(unforced.size() + 1);
        unforced.subList(0, lasting).forEach(change -> change.applyTo(durable));
        unforced.clear();
        seen.clear();
        seen.putAll(durable);
        seen.values().forEach(file -> file.losePower(kept));
    }

    /** Makes another one, which is empty, the same. */
    void copyTo(SimulatedDisk other) {
        Map<SimulatedFile, SimulatedFile> copies = new HashMap<>();
        seen.forEach((path, file) -> other.seen.put(path, copyOf(file, copies)));
        durable.forEach((path, file) -> other.durable.put(path, copyOf(file, copies)));
        for (Change change : unforced) {
            SimulatedFile file = change.file == null ? null : copyOf(change.file, copies);
            other.unforced.add(new Change(change.path, change.from, file));
        }
    }

    private static SimulatedFile copyOf(SimulatedFile file, Map<SimulatedFile, SimulatedFile> copies) {
        return copies.computeIfAbsent(file, SimulatedFile::copy);
    }

    private void change(Change change) {
        change.applyTo(seen);
        unforced.add(change);
    }

    /**
     * A name now means this file, or none; the other name, if there is one, means none any more. Two names and no file
     * are a directory's.
     */
    private record Change(
            Path path, @Nullable Path from, @Nullable SimulatedFile file) {
        boolean isIn(Path directory) {
            return directory.equals(path.getParent());
        }

        boolean isOfDirectory() {
            return from != null && file == null;
        }

        void applyTo(Map<Path, SimulatedFile> names) {
            if (from != null && file == null) {
                for (Path each : below(names, from)) {
                    names.put(path.resolve(from.relativize(each)), Objects.requireNonNull(names.remove(each)));
                }
                return;
            }
            if (from != null) {
                names.remove(from);
            }
            if (file == null) {
                names.remove(path);
            } else {
                names.put(path, file);
            }
        }
    }
}

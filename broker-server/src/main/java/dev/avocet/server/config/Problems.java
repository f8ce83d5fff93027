package dev.avocet.server.config;

import java.util.List;

/** Collects what is wrong with a configuration, each problem with the path of the option it is about. */
final class Problems {
    private final List<String> found;
    private final String path;

    private Problems(List<String> found, String path) {
        this.found = found;
        this.path = path;
    }

    /** Adds to the list, which the caller keeps. */
    static Problems into(List<String> found) {
        return new Problems(found, "");
    }

    Problems at(String key) {
        return new Problems(found, pathOf(key));
    }

    Problems at(int index) {
        return new Problems(found, path + "[" + index + "]");
    }

    /** A problem with the option that this stands at. */
    void add(String problem) {
        found.add(path.isEmpty() ? problem : path + ": " + problem);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}

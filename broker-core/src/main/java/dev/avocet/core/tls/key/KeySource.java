package dev.avocet.core.tls.key;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where an endpoint's certificate and its key come from. */
public sealed interface KeySource {
    /** The files that are read. */
    List<Path> files();

    /**
     * Two files in PEM.
     *
     * @param chain the endpoint's certificate, followed by those of intermediate authorities
     * @param key its key, in PKCS#8, PKCS#1 or SEC 1
     * @param password of the key; null when it is not encrypted
     */
    record Pem(Path chain, Path key, @Nullable String password) implements KeySource {
        @Override
        public List<Path> files() {
            return List.of(chain, key);
        }

        @Override
        public String toString() {
            return "Pem[chain=" + chain + ", key=" + key + "]";
        }
    }

    /** A PKCS#12 file with one key. */
    record Pkcs12(Path file, String password) implements KeySource {
        @Override
        public List<Path> files() {
            return List.of(file);
        }

        @Override
        public String toString() {
            return "Pkcs12[file=" + file + "]";
        }
    }
}

package dev.avocet.core.tls.status;

import dev.avocet.core.tls.key.TlsException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A place with revocation lists, PEM or DER, at an address that an administrator has chosen. Blocks. */
final class ListSource {
    private static final int MAX_BYTES = 64 << 20;
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int READ_TIMEOUT_MS = 5_000;
    private static final long MAX_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int OK = 200;

    private final URI place;
    private final LongSupplier nanoTime;

    ListSource(URI place, LongSupplier nanoTime) {
        this.place = place;
        this.nanoTime = nanoTime;
    }

    boolean isFile() {
        return "file".equals(place.getScheme());
    }

    /** Changes when the file does. */
    String stamp() {
        try {
            BasicFileAttributes now = Files.readAttributes(Path.of(place), BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
        } catch (IOException e) {
            return "";
        }
    }

    List<X509CRL> read() throws TlsException {
        try (InputStream bytes = new ByteArrayInputStream(isFile() ? file() : fetched())) {
            List<X509CRL> lists = CertificateFactory.getInstance("X.509").generateCRLs(bytes).stream()
                    .map(X509CRL.class::cast)
                    .toList();
            if (lists.isEmpty()) {
                throw new TlsException(name() + " holds no revocation list");
            }
            return lists;
        } catch (NoSuchFileException e) {
            throw new TlsException("there is no file " + name(), e);
        } catch (GeneralSecurityException e) {
            throw new TlsException(name() + " is not a revocation list in PEM or DER: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new TlsException(name() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private String name() {
        return isFile() ? String.valueOf(Path.of(place).getFileName()) : place.toString();
    }

    private byte[] file() throws IOException {
        Path file = Path.of(place);
        if (Files.size(file) > MAX_BYTES) {
            throw tooLarge();
        }
        return Files.readAllBytes(file);
    }

    private byte[] fetched() throws IOException {
        long startNs = nanoTime.getAsLong();
        HttpURLConnection connection = (HttpURLConnection) place.toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(READ_TIMEOUT_MS);
        try {
            if (connection.getResponseCode() != OK) {
                throw new IOException("the server answers " + connection.getResponseCode());
            }
            try (InputStream body = connection.getInputStream()) {
                ByteArrayOutputStream read = new ByteArrayOutputStream();
                byte[] buffer = new byte[16 << 10];
                for (int size = body.read(buffer); size >= 0; size = body.read(buffer)) {
                    read.write(buffer, 0, size);
                    if (read.size() > MAX_BYTES) {
                        throw tooLarge();
                    }
                    if (nanoTime.getAsLong() - startNs > MAX_NS) {
                        throw new IOException(
                                "the server took longer than " + TimeUnit.NANOSECONDS.toSeconds(MAX_NS) + " s");
                    }
                }
                return read.toByteArray();
            }
        } finally {
            connection.disconnect();
        }
    }

    private static IOException tooLarge() {
        return new IOException("it is larger than " + (MAX_BYTES >> 20) + " MiB");
    }
}

package dev.avocet.core.tls.key;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Reads certificates and keys; what is wrong with a file is said in words. Blocks on the disk. */
public final class CertificateFiles {
    private static final long MAX_BYTES = 4 << 20;

    private CertificateFiles() {}

    public static CertifiedKey read(KeySource source) throws TlsException {
        CertifiedKey read = source instanceof KeySource.Pem pem
                ? new CertifiedKey(PrivateKeyFile.read(pem), certificates(pem.chain()))
                : pkcs12((KeySource.Pkcs12) source);
        KeyPairCheck.check(read, source);
        return read;
    }

    /** The certificates of a PEM file, in its order; one or more. */
    public static List<X509Certificate> certificates(Path file) throws TlsException {
        try (InputStream bytes = Files.newInputStream(checked(file))) {
            List<X509Certificate> read = CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (read.isEmpty()) {
                throw new TlsException(file + " holds no certificate; it must be a PEM file with at least one");
            }
            return read;
        } catch (GeneralSecurityException e) {
            throw new TlsException(file + " is not a PEM file of certificates: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** The certificates of several PEM files. */
    public static List<X509Certificate> certificates(List<Path> files) throws TlsException {
        List<X509Certificate> read = new ArrayList<>();
        for (Path file : files) {
            read.addAll(certificates(file));
        }
        return read;
    }

    private static CertifiedKey pkcs12(KeySource.Pkcs12 source) throws TlsException {
        Path file = source.file();
        char[] password = source.password().toCharArray();
        try (InputStream bytes = Files.newInputStream(checked(file))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(bytes, password);
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getKey(alias, password) instanceof PrivateKey key) {
                    return new CertifiedKey(key, x509(store.getCertificateChain(alias)));
                }
            }
            throw new TlsException(file + " holds no private key");
        } catch (GeneralSecurityException e) {
            throw new TlsException(file + " is not a PKCS#12 file that can be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(file, e);
        } finally {
            Arrays.fill(password, '\0');
        }
    }

    private static List<X509Certificate> x509(Certificate[] chain) {
        return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
    }

    static Path checked(Path file) throws TlsException, IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new TlsException(
                    file + " is larger than " + (MAX_BYTES >> 20) + " MiB; that is not a certificate or key");
        }
        return file;
    }

    static TlsException unreadable(Path file, IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return new TlsException("there is no file " + file.toAbsolutePath(), cause);
        }
        return new TlsException(file + " cannot be read: " + cause.getMessage(), cause);
    }
}

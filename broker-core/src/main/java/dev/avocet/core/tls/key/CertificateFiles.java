package dev.avocet.core.tls.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;

/** Reads certificates and keys; what is wrong with a file is said in words. Blocks on the disk. */
public final class CertificateFiles {
    private static final long MAX_BYTES = 4 << 20;

    private CertificateFiles() {}

    public static CertifiedKey read(KeySource source) throws TlsException {
        CertifiedKey read = source instanceof KeySource.Pem pem
                ? new CertifiedKey(key(pem), certificates(pem.chain()))
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

    private static PrivateKey key(KeySource.Pem source) throws TlsException {
        Path file = source.key();
        try (PEMParser parser =
                new PEMParser(new StringReader(Files.readString(checked(file), StandardCharsets.US_ASCII)))) {
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                PrivateKeyInfo info = keyInfo(next, source);
                if (info != null) {
                    return new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
        } catch (PKCSException | OperatorCreationException e) {
            throw new TlsException(file + " cannot be decrypted: the password is wrong", e);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        throw new TlsException(file + " holds no private key; it must be a PEM file with 'BEGIN PRIVATE KEY'");
    }

    private static @Nullable PrivateKeyInfo keyInfo(Object pem, KeySource.Pem source)
            throws TlsException, IOException, PKCSException, OperatorCreationException {
        if (pem instanceof PrivateKeyInfo plain) {
            return plain;
        }
        if (pem instanceof PEMKeyPair pair) {
            return pair.getPrivateKeyInfo();
        }
        if (pem instanceof PKCS8EncryptedPrivateKeyInfo encrypted) {
            return encrypted.decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                    .setProvider(decrypting())
                    .build(password(source)));
        }
        if (pem instanceof PEMEncryptedKeyPair encrypted) {
            return encrypted
                    .decryptKeyPair(new JcePEMDecryptorProviderBuilder()
                            .setProvider(decrypting())
                            .build(password(source)))
                    .getPrivateKeyInfo();
        }
        return null;
    }

    /** The validated one where its jars are there, which have no other. */
    private static Provider decrypting() {
        Provider validated = Security.getProvider("BCFIPS");
        return validated == null ? Plain.provider() : validated;
    }

    private static char[] password(KeySource.Pem source) throws TlsException {
        if (source.password() == null) {
            throw new TlsException(
                    source.key() + " is encrypted, and there is no password for it; take the password off first,"
                            + " such as with 'openssl pkey -in ENCRYPTED -out PLAIN'");
        }
        return source.password().toCharArray();
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

    private static Path checked(Path file) throws TlsException, IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new TlsException(
                    file + " is larger than " + (MAX_BYTES >> 20) + " MiB; that is not a certificate or key");
        }
        return file;
    }

    /** Of its own, so that what it names need not be there. */
    private static final class Plain {
        static Provider provider() {
            return new BouncyCastleProvider();
        }
    }

    private static TlsException unreadable(Path file, IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return new TlsException("there is no file " + file.toAbsolutePath(), cause);
        }
        return new TlsException(file + " cannot be read: " + cause.getMessage(), cause);
    }
}

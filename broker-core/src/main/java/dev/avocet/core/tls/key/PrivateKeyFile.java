package dev.avocet.core.tls.key;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
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

/**
 * Reads a private key in a PEM file, encrypted or plain. A class of its own: it needs BouncyCastle, whose jars are
 * signed, and Java takes a tenth of a second and more to check a signed jar before the first of its classes. Who reads
 * certificates alone does not wait for that.
 */
final class PrivateKeyFile {
    private PrivateKeyFile() {}

    static PrivateKey read(KeySource.Pem source) throws TlsException {
        Path file = source.key();
        try (PEMParser parser = new PEMParser(
                new StringReader(Files.readString(CertificateFiles.checked(file), StandardCharsets.US_ASCII)))) {
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                PrivateKeyInfo info = keyInfo(next, source);
                if (info != null) {
                    return new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
        } catch (PKCSException | OperatorCreationException e) {
            throw new TlsException(file + " cannot be decrypted: the password is wrong", e);
        } catch (IOException e) {
            throw CertificateFiles.unreadable(file, e);
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

    /** Of its own, so that what it names need not be there. */
    private static final class Plain {
        static Provider provider() {
            return new BouncyCastleProvider();
        }
    }
}

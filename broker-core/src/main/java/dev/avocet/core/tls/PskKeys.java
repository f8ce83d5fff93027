package dev.avocet.core.tls;

import dev.avocet.core.tls.key.TlsException;
import dev.avocet.core.tls.psk.PskHandler;
import dev.avocet.core.tls.psk.PskOptions;
import dev.avocet.core.tls.psk.PskServer;
import dev.avocet.core.tls.psk.PskSuites;
import dev.avocet.core.tls.psk.PskTable;
import java.security.SecureRandom;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pre-shared keys of an endpoint, as the file was when it was last read. Thread-safe. */
public final class PskKeys {
    private static final Logger LOG = LoggerFactory.getLogger(PskKeys.class);

    private final PskOptions options;
    private final PskSuites suites;
    private final int timeoutMs;
    private final TlsCrypto crypto = new JcaTlsCryptoProvider().create(new SecureRandom());
    private volatile PskTable table;

    PskKeys(TlsOptions tls, PskOptions options) throws TlsException {
        this.options = options;
        this.suites = PskSuites.of(tls.ciphers(), tls.minimumVersion());
        this.timeoutMs = tls.handshakeTimeoutMs();
        this.table = PskTable.read(options.file());
    }

    void read() throws TlsException {
        table = PskTable.read(options.file());
        LOG.info("{} has pre-shared keys of {} identities", options.file().getFileName(), table.size());
    }

    /** Whether clients come in with a pre-shared key only. */
    public boolean required() {
        return options.required();
    }

    /** The handler for one new connection. */
    public PskHandler newHandler() {
        return new PskHandler(new PskServer(crypto, table, suites), timeoutMs);
    }
}

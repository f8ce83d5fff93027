package dev.avocet.ha.trust;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.FileWatch;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.trust.NoMemberException.Kind;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member needs for TLS with the others: the certificate that it shows, and which it takes. Files are read again
 * when they have changed: new connections get what is new, those that are open stay. Thread-safe.
 */
public final class MemberTls implements AutoCloseable {
    /** Older ones would only be there for others than members. */
    public static final String VERSION = "TLSv1.3";

    /** Content types of its records. */
    private static final int TLS_FIRST = 20;

    private static final int TLS_LAST = 24;
    /** How Java begins when the other end has refused. */
    private static final String ALERT = "Received fatal alert: ";
    /** How Bouncy Castle does. */
    private static final String OTHER_ALERT = "org.bouncycastle.tls.TlsFatalAlertReceived: ";

    private static final String UNREADABLE = "AEAD";

    private static final String ALIKE =
            "give all members the same secret file, or certificates that they trust, or none of them any";
    private static final int LONGEST_QUOTE = 100;
    private static final Logger LOG = LoggerFactory.getLogger(MemberTls.class);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Duration WARNING_TIME = Duration.ofDays(30);
    private static final Duration WARNING_PAUSE = Duration.ofDays(1);

    private final GroupNames names;
    private final Credentials.@Nullable Files files;
    private final Clock clock;
    private final MemberKeys keys;
    private final @Nullable ScheduledExecutorService looking;
    private volatile Identity identity;

    // Of the thread that looks.
    private FileWatch watch;
    private long warnedAtMs;

    private MemberTls(
            GroupNames names, Credentials.@Nullable Files files, Identity identity, Clock clock, Duration look) {
        this.names = names;
        this.files = files;
        this.identity = identity;
        this.clock = clock;
        keys = new MemberKeys(identity);
        watch = new FileWatch(files == null ? List.of() : files.all());
        warnOfExpiry();
        looking = files == null ? null : Executors.newSingleThreadScheduledExecutor(MemberTls::thread);
        if (looking != null) {
            looking.scheduleWithFixedDelay(this::lookAfter, look.toMillis(), look.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Reads the files, or derives all from the secret. Blocks on the disk.
     *
     * @return null where the members need no proof of each other, and so have no TLS
     * @throws TlsException when a file cannot be used; the message says which and why
     */
    public static @Nullable MemberTls open(Credentials credentials, GroupNames names, Clock clock) throws TlsException {
        return open(credentials, names, clock, LOOK);
    }

    static @Nullable MemberTls open(Credentials credentials, GroupNames names, Clock clock, Duration look)
            throws TlsException {
        Credentials.Files files = credentials.files();
        if (files != null) {
            return new MemberTls(names, files, FileIdentity.read(files, names), clock, look);
        }
        return credentials.secret().isNone()
                ? null
                : new MemberTls(names, null, SecretIdentity.of(credentials.secret(), names), clock, look);
    }

    /** What this member shows. */
    public X509ExtendedKeyManager keys() {
        return keys;
    }

    /** Takes those members only. */
    public MemberTrust trusting(Set<String> members) {
        return new MemberTrust(() -> identity, members, (address, why) -> {});
    }

    /** Takes all members. */
    public MemberTrust trustingAll() {
        return trusting(names.hosts().keySet());
    }

    /** When this member's certificate, or one that vouches for it, runs out; null for never. */
    public @Nullable Instant expiry() {
        return identity.expiry();
    }

    /**
     * Why there is no TLS with another end, after the subject of the sentence.
     *
     * @return null when nothing was wrong, as when the connection has ended
     */
    public @Nullable NoMemberException explain(Throwable failure) {
        SSLException failed = null;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NoMemberException known) {
                return known;
            }
            failed = each instanceof SSLException tls && failed == null ? tls : failed;
        }
        if (failed == null || failed.getCause() instanceof ClosedChannelException) {
            return null;
        }
        String said = String.valueOf(failed.getMessage()).replaceAll("\\p{Cntrl}", " ");
        if (said.contains(UNREADABLE)) {
            // An end that refuses may say so in the clear when this one expects it encrypted.
            return new NoMemberException(
                    Kind.REFUSES,
                    "has ended the TLS handshake with a word that cannot be decrypted: it does not take this node for a"
                            + " member of group " + names.group() + ", or is not one itself: " + identity.advice()
                            + "; its log says more");
        }
        for (String alert : List.of(ALERT, OTHER_ALERT)) {
            if (said.startsWith(alert)) {
                return new NoMemberException(
                        Kind.REFUSES,
                        "does not take this node for a member of group " + names.group() + " ("
                                + said.substring(alert.length()) + "): " + identity.advice() + "; its log says more");
            }
        }
        return foreign("what is not the TLS of a member (" + shortened(said) + ")");
    }

    /**
     * What the first byte of another end tells.
     *
     * @param own null for a node without TLS
     * @param isMember whether a member without TLS begins so
     * @return null when it is as it should be
     */
    public static @Nullable NoMemberException mismatch(@Nullable MemberTls own, int first, boolean isMember) {
        boolean speaksTls = first >= TLS_FIRST && first <= TLS_LAST;
        if (speaksTls == (own != null)) {
            return speaksTls || isMember ? null : foreign("bytes that no member sends");
        }
        if (speaksTls) {
            return new NoMemberException(
                    Kind.TLS, "speaks TLS, and this node has neither secret nor certificate: " + ALIKE);
        }
        return isMember
                ? new NoMemberException(Kind.TLS, "does not speak TLS, and this node does: " + ALIKE)
                : foreign("bytes that no member sends");
    }

    /** Of a connection that was silent, or nearly so. */
    public static NoMemberException tooSlow(long afterMs) {
        return new NoMemberException(Kind.TOO_SLOW, "has not proved itself within " + afterMs + " ms");
    }

    private static NoMemberException foreign(String what) {
        return new NoMemberException(Kind.FOREIGN, "has sent " + what + ": it is not one, or it is damaged");
    }

    private static String shortened(String text) {
        return text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text;
    }

    private void lookAfter() {
        try {
            if (watch.hasChanged()) {
                reload();
            }
            if (clock.wallTimeMs() - warnedAtMs >= WARNING_PAUSE.toMillis()) {
                warnOfExpiry();
            }
        } catch (RuntimeException e) {
            LOG.error("internal error: the certificates of the pair were not looked after", e);
        }
    }

    private void reload() {
        Credentials.Files present = files;
        if (present == null) {
            return;
        }
        try {
            Identity fresh = FileIdentity.read(present, names);
            keys.replace(fresh);
            identity = fresh;
            LOG.info(
                    "The pair has a new certificate for new connections: {}, valid until {}",
                    FileIdentity.subject(fresh.chain().get(0)),
                    fresh.expiry());
            warnOfExpiry();
        } catch (TlsException e) {
            LOG.error("The certificates of the pair stay as they were: {}", e.getMessage());
        }
    }

    private void warnOfExpiry() {
        Instant expiry = identity.expiry();
        Credentials.Files present = files;
        if (expiry == null || present == null) {
            return;
        }
        warnedAtMs = clock.wallTimeMs();
        Duration left = Duration.between(Instant.ofEpochMilli(warnedAtMs), expiry);
        if (left.isNegative()) {
            LOG.error(
                    "The pair's certificate of this node expired at {}: the other members refuse it. Replace {} and {};"
                            + " that needs no restart",
                    expiry,
                    present.certificate(),
                    present.key());
        } else if (left.compareTo(WARNING_TIME) < 0) {
            LOG.warn(
                    "The pair's certificate of this node expires at {}, in {} days. Replace {} and {}; that needs no"
                            + " restart",
                    expiry,
                    left.toDays(),
                    present.certificate(),
                    present.key());
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "pair-certificates");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        if (looking != null) {
            looking.shutdownNow();
        }
    }
}

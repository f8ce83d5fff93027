package dev.avocet.core.config.object.server;

import static dev.avocet.core.config.schema.Trait.READ_ONLY;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Size;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.Secret;
import dev.avocet.core.config.value.TextFormat;

@Doc("Values that there is one of in a broker.")
public record Singletons(
        @Doc("What the broker is called where others see it; if empty, `serverName` of the startup file.") @Text
        String serverName,

        @Doc("Tells this broker from every other; made at the first start.")
        @Named("ServerUID")
        @Text(maxLength = 64)
        @Traits(READ_ONLY)
        String serverUid,

        @Doc(
                "Whether the broker serves clients: 0 production, 1 maintenance, in which it takes only administration. Changed by `service maintenance`.")
        @Range(min = 0, max = 1)
        @Default("0")
        @Traits(READ_ONLY)
        int adminMode,

        @Doc("The administrator who may do everything.")
        @Named("AdminUserID")
        @Text(maxLength = 16, format = TextFormat.NAME)
        @Default("admin")
        String adminUserId,

        @Doc("The password of that administrator. It cannot be read again.") @Text(maxLength = 128)
        Secret adminUserPassword,

        @Doc("How much is written to the log of the broker.") @Default("NORMAL")
        LogDetail logLevel,

        @Doc("How much is written about connections.") @Default("NORMAL")
        LogDetail connectionLog,

        @Doc("How much is written about authentication and refused access.") @Default("NORMAL")
        LogDetail securityLog,

        @Doc("How much is written about what administrators do.") @Default("NORMAL")
        LogDetail adminLog,

        @Doc(
                "Where the audit log goes, one line of JSON for each change: `File` is `audit/audit.log` in the data directory, `Syslog` is UDP to `AuditLogHost`. The reference has no such value.")
        @Default("File")
        AuditLogTarget auditLog,

        @Doc("How large the file of the audit log becomes before another is begun.")
        @Named("AuditLogMax")
        @Size(minKb = 100, maxKb = 1_048_576) @Default("20MB")
        long auditLogMaxBytes,

        @Doc("How many of the files before are kept, compressed.") @Range(min = 1, max = 20) @Default("10")
        int auditLogBackupCount,

        @Doc("The syslog server of the audit log.") @Text(maxLength = 255) @Default("localhost")
        String auditLogHost,

        @Doc("Its UDP port.") @Range(min = 1, max = 65_535) @Default("514")
        int auditLogPort,

        @Doc(
                "How much of the broker and of every connection is traced: nothing up to 6; 7 and 8 more than the logs hold, 9 everything. And levels of single components: tcp, tls, mqtt, jms, engine, store, security, admin.")
        @Text(maxLength = 1_024, format = TextFormat.TRACE_LEVEL)
        @Default("5")
        String traceLevel,

        @Doc("The same for the connections of `TraceConnection`, where it is more.")
        @Text(maxLength = 1_024, format = TextFormat.TRACE_LEVEL)
        String traceSelected,

        @Doc(
                "The connections that `TraceSelected` is for, such as `endpoint=field,clientid=phone*,clientaddr=10.0.0.1-10.0.0.9`: each kind may be there several times, and every kind that is there must fit.")
        @Text(maxLength = 1_024, format = TextFormat.TRACE_CONNECTION)
        String traceConnection,

        @Doc("How many bytes of each payload are traced, at level 9.")
        @Range(min = 0, max = 65_535)
        @Default("0")
        @Named("TraceMessageData")
        int traceMessageDataBytes,

        @Doc("How large the file of the trace becomes before another is begun.")
        @Named("TraceMax")
        @Size(minKb = 250, maxKb = 104_857_600) @Default("200MB")
        long traceMaxBytes,

        @Doc("What becomes of the file then: 0 it is deleted, 1 it is kept, compressed.")
        @Range(min = 0, max = 1)
        @Default("1")
        int traceBackup,

        @Doc("How many of those are kept.") @Range(min = 1, max = 100) @Default("3")
        int traceBackupCount,

        @Doc(
                "Most connections at a time. 0 means what `limits.maxConnections` of the startup file says, or as many as the operating system allows.")
        @Range(min = 0)
        @Default("0")
        int maxConnections,

        @Doc("Most new connections each second; 0 means what `limits.connectionsPerSecond` of the startup file says.")
        @Range(min = 0)
        @Default("0")
        int maxConnectionsPerSecond,

        @Doc(
                "Most levels that a topic name or filter may have. 32 means what `mqtt.maxTopicLevels` of the startup file says.")
        @Range(min = 1, max = 1_000)
        @Default("32")
        int maxTopicLevels,

        @Doc(
                "Most subscriptions that one client may have. 500 means what `mqtt.maxSubscriptionsPerClient` of the startup file says.")
        @Range(min = 1)
        @Default("500")
        int maxSubscriptionsPerClient,

        @Doc(
                "Longest keep alive in seconds that a client may ask for. 0 means what `mqtt.serverKeepAliveMaxSeconds` of the startup file says, which may be that any is fine.")
        @Named("MaxKeepAlive")
        @Range(min = 0, max = 65_535)
        @Default("0")
        int maxKeepAliveSeconds,

        @Doc(
                "Most queues that clients have made and that are there at a time; those of administrators and temporary ones do not count. The reference has no such value.")
        @Range(min = 0, max = 1_000_000)
        @Default("10000")
        int maxDynamicQueues,

        @Doc(
                "Most versions of the configuration that are kept, the present one among them; the next change deletes older ones. The reference has no such value.")
        @Range(min = 2, max = 1_000)
        @Default("50")
        int maxConfigurationVersions,

        @Doc(
                "Whether administrators see nothing of the payloads of messages when they look at queues and retained messages: over REST, with `broker-admin` and in the console. Properties and sizes are shown. The reference has no such value.")
        boolean hideMessagePayloads)
        implements ConfigurationObject {
    /** Whether the broker takes only administration. */
    public boolean isMaintenance() {
        return adminMode != 0;
    }
}

package dev.avocet.core.config.object.security;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.value.DirectoryUrl;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.TextFormat;
import java.util.List;

@Doc(
        "The directory that knows users and groups; there is one. Without a URL there is none. `broker-admin ldap test` tries it.")
public record LDAP(
        @Doc("Whether the directory is asked about logins.") @Default("true")
        boolean enabled,

        @Doc(
                "The servers of the directory, tried in this order when one does not answer. The reference knows one server; here several have blanks or commas between.")
        @Named("URL")
        @Text(maxLength = 2_048, format = TextFormat.DIRECTORY_URLS)
        String url,

        @Doc(
                "Whether a connection to `ldap://` is encrypted by StartTLS before anything is asked. The reference has no such value.")
        @Named("StartTLS")
        boolean startTls,

        @Doc("The uploaded file with the certificate that the servers' certificates are checked by, for `TrustStore`.")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        String certificate,

        @Doc(
                "How the servers' certificates are checked: by `Certificate`, by the authorities that the Java runtime trusts, or not at all, which lets an attacker read passwords.")
        @Default("TrustStore")
        ServerCheck checkServerCert,

        @Doc("The entry below which users and groups are searched for.")
        @Named("BaseDN")
        @Text(format = TextFormat.DISTINGUISHED_NAME)
        String baseDn,

        @Doc("The entry as which the broker searches; if empty, it searches without a name.")
        @Named("BindDN")
        @Text(format = TextFormat.DISTINGUISHED_NAME)
        String bindDn,

        @Doc("The password of `BindDN`. It is not shown.") @Text(maxLength = 1_024)
        OutgoingSecret bindPassword,

        @Doc("The entry below which users are; `BaseDN` if empty.") @Text(format = TextFormat.DISTINGUISHED_NAME)
        String userSuffix,

        @Doc("The entry below which groups are; `BaseDN` if empty.") @Text(format = TextFormat.DISTINGUISHED_NAME)
        String groupSuffix,

        @Doc("The attribute of users that holds the user name.")
        @Text(maxLength = 255, format = TextFormat.ATTRIBUTE)
        @Default("uid")
        String userIdMap,

        @Doc("The attribute of groups that holds what policies call the group.")
        @Text(maxLength = 255, format = TextFormat.ATTRIBUTE)
        @Default("cn")
        String groupIdMap,

        @Doc(
                "The attribute of groups that holds the members: their distinguished names, or their user names if it is `memberUid`.")
        @Text(maxLength = 255, format = TextFormat.ATTRIBUTE)
        @Default("member")
        String groupMemberIdMap,

        @Doc(
                "Whether a user's entry is searched for below `UserSuffix`. Without it the entry is `UserIdMap`=name directly below `UserSuffix`, and `BindDN` is needed for the groups of certificates only. The reference has no such value.")
        @Default("true")
        boolean searchUser,

        @Doc(
                "Whether upper and lower case of user names do not matter. The user is then called as the directory spells the name.")
        @Default("true")
        boolean ignoreCase,

        @Doc("Whether the groups that hold a group of the user count too, up to 10 levels.")
        boolean nestedGroupSearch,

        @Doc("How long a login waits for the directory, in seconds.")
        @Named("Timeout")
        @Range(min = 1, max = 60)
        @Default("10")
        int timeoutSeconds,

        @Doc("Whether logins and groups are remembered.") @Default("true")
        boolean enableCache,

        @Doc("How long a password that was right is right without asking again, in seconds.")
        @Named("CacheTimeout")
        @Range(min = 1, max = 60)
        @Default("10")
        int cacheTimeoutSeconds,

        @Doc("How long the groups of a user are remembered, in seconds.")
        @Named("GroupCacheTimeout")
        @Range(min = 1, max = 86_400)
        @Default("300")
        int groupCacheTimeoutSeconds,

        @Doc(
                "How long after `CacheTimeout` a password that was right lets its user in while no server of the directory answers, in seconds; with 0 the login is refused. The reference has no such value.")
        @Named("OfflineCacheTimeout")
        @Range(min = 0, max = 86_400)
        @Default("0")
        int offlineCacheTimeoutSeconds,

        @Doc(
                "After how many seconds the connection of a user of the directory is ended, so that the user has to log in again; with 0 never. The reference has no such value.")
        @Named("LoginLifetime")
        @Range(min = 0, max = 31_536_000)
        @Default("0")
        int loginLifetimeSeconds,

        @Doc("Most connections to the directory, of each of two kinds: for searches and for passwords.")
        @Range(min = 1, max = 100)
        @Default("10")
        int maxConnections)
        implements ConfigurationObject {

    /** Whether the directory is asked. */
    public boolean isActive() {
        return enabled && !url.isEmpty();
    }

    /** The servers, in the order in which they are tried. */
    public List<DirectoryUrl> servers() {
        try {
            return url.isEmpty() ? List.of() : DirectoryUrl.parseAll(url);
        } catch (InvalidValueException e) {
            throw new IllegalStateException("a URL that was not checked", e);
        }
    }

    /** Where users are. */
    public String usersBelow() {
        return userSuffix.isEmpty() ? baseDn : userSuffix;
    }

    /** Where groups are. */
    public String groupsBelow() {
        return groupSuffix.isEmpty() ? baseDn : groupSuffix;
    }

    @Override
    public void check(ObjectProblems problems) {
        if (url.isEmpty()) {
            return;
        }
        boolean encrypted = startTls || servers().stream().anyMatch(DirectoryUrl::tls);
        if (startTls && servers().stream().anyMatch(DirectoryUrl::tls)) {
            problems.add("StartTLS", "is for ldap:// only, as ldaps:// is encrypted already; set it to false");
        }
        if (usersBelow().isEmpty()) {
            problems.add("BaseDN", "is required with a URL, or UserSuffix; name the entry below which the users are");
        }
        if (encrypted && checkServerCert == ServerCheck.TRUST_STORE && certificate.isEmpty()) {
            problems.add(
                    "Certificate",
                    "is required with CheckServerCert TrustStore; upload the certificate of the servers' authority and name"
                            + " its file, or set CheckServerCert to PublicTrust");
        }
        if (!bindDn.isEmpty() && bindPassword.isEmpty()) {
            problems.add(
                    "BindPassword",
                    "is required with BindDN; without a password a directory takes the broker for an unnamed client");
        }
    }
}

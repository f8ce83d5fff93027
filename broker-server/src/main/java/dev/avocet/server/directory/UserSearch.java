package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPInterface;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which entry a user name belongs to. On threads that may wait for the directory. */
final class UserSearch {
    private final LDAP ldap;
    private final DirectoryAttribute name;

    UserSearch(LDAP ldap) {
        this.ldap = ldap;
        this.name = DirectoryAttribute.of(ldap.userIdMap());
    }

    /** The entry with that user name, or null when there is none. */
    @Nullable DirectoryUser find(String userName, LDAPInterface directory, Deadline deadline) throws LDAPException {
        SearchRequest request =
                new SearchRequest(ldap.usersBelow(), SearchScope.SUB, name.equalTo(userName), name.name());
        request.setResponseTimeoutMillis(deadline.leftMs());
        request.setSizeLimit(2);
        List<SearchResultEntry> found = entries(request, directory);
        if (found.size() > 1) {
            throw new LDAPException(
                    ResultCode.CONSTRAINT_VIOLATION,
                    "several entries below '" + ldap.usersBelow() + "' have that " + name.name()
                            + "; narrow UserSuffix or UserIdMap of the LDAP object");
        }
        return found.isEmpty() ? null : spelled(found.get(0), userName);
    }

    /** The entry that the user has if there is one. */
    DirectoryUser assume(String userName) throws LDAPException {
        RDN own = new RDN(name.name(), userName);
        return new DirectoryUser(new DN(own, new DN(ldap.usersBelow())).toString(), userName);
    }

    /**
     * The user as its entry spells the name; null when that is another spelling than is allowed.
     *
     * @param directory a connection that may read the entry, or else the spelling is the given one in lower case
     */
    @Nullable DirectoryUser spelled(DirectoryUser user, LDAPInterface directory, Deadline deadline) throws LDAPException {
        SearchRequest request = new SearchRequest(user.dn(), SearchScope.BASE, "(objectClass=*)", name.name());
        request.setResponseTimeoutMillis(deadline.leftMs());
        List<SearchResultEntry> found;
        try {
            found = entries(request, directory);
        } catch (LDAPException e) {
            if (!e.getResultCode().isConnectionUsable()) {
                throw e;
            }
            found = List.of();
        }
        return found.isEmpty() ? unread(user) : spelled(found.get(0), user.name());
    }

    private static List<SearchResultEntry> entries(SearchRequest request, LDAPInterface directory)
            throws LDAPException {
        try {
            return directory.search(request).getSearchEntries();
        } catch (LDAPSearchException e) {
            if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
                return e.getSearchEntries();
            }
            throw e;
        }
    }

    private @Nullable DirectoryUser spelled(SearchResultEntry entry, String userName) {
        String[] values = entry.getAttributeValues(name.name());
        if (values == null || values.length == 0) {
            return unread(new DirectoryUser(entry.getDN(), userName));
        }
        if (List.of(values).contains(userName)) {
            return new DirectoryUser(entry.getDN(), userName);
        }
        return ldap.ignoreCase()
                ? Stream.of(values)
                        .filter(value -> value.equalsIgnoreCase(userName))
                        .findFirst()
                        .map(value -> new DirectoryUser(entry.getDN(), value))
                        .orElse(null)
                : null;
    }

    private DirectoryUser unread(DirectoryUser user) {
        return ldap.ignoreCase() ? new DirectoryUser(user.dn(), user.name().toLowerCase(Locale.ROOT)) : user;
    }
}

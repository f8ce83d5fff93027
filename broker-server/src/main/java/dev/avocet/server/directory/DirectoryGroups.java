package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPInterface;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which groups users are in. On threads that may wait for the directory. */
final class DirectoryGroups {
    /** Most groups that a user has here; more are left out, and the log says so. */
    static final int MOST = 200;

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryGroups.class);
    private static final int DEEPEST = 10;
    private static final String BY_USER_NAME = "memberUid";

    private final LDAP ldap;
    private final DirectoryAttribute name;
    private final DirectoryAttribute member;

    DirectoryGroups(LDAP ldap) {
        this.ldap = ldap;
        this.name = DirectoryAttribute.of(ldap.groupIdMap());
        this.member = DirectoryAttribute.of(ldap.groupMemberIdMap());
    }

    /** @param directory a connection whose name may read groups */
    Set<String> of(DirectoryUser user, LDAPInterface directory, Deadline deadline) throws LDAPSearchException {
        Set<String> names = new LinkedHashSet<>();
        Set<String> seen = new HashSet<>();
        String itself = member.name().equalsIgnoreCase(BY_USER_NAME) ? user.name() : user.dn();
        List<String> level = collect(List.of(itself), names, seen, directory, deadline);
        for (int depth = 1; ldap.nestedGroupSearch() && depth < DEEPEST && !level.isEmpty(); depth++) {
            level = collect(level, names, seen, directory, deadline);
        }
        if (names.size() > MOST) {
            LOG.warn(
                    "User '{}' is in more than {} groups of the directory; the others are left out. Narrow GroupSuffix of the"
                            + " LDAP object",
                    user.name(),
                    MOST);
            return Set.copyOf(new ArrayList<>(names).subList(0, MOST));
        }
        return Set.copyOf(names);
    }

    /** The groups that hold one of these, by distinguished name; those that were seen before are left out. */
    private List<String> collect(
            List<String> members, Set<String> names, Set<String> seen, LDAPInterface directory, Deadline deadline)
            throws LDAPSearchException {
        List<String> found = new ArrayList<>();
        for (String each : members) {
            if (names.size() > MOST) {
                break;
            }
            for (SearchResultEntry group : search(member.equalTo(each), directory, deadline)) {
                if (seen.add(group.getDN())) {
                    String called = group.getAttributeValue(name.name());
                    if (called != null) {
                        names.add(called);
                    }
                    found.add(group.getDN());
                }
            }
        }
        return found;
    }

    private List<SearchResultEntry> search(Filter filter, LDAPInterface directory, Deadline deadline)
            throws LDAPSearchException {
        SearchRequest request = new SearchRequest(ldap.groupsBelow(), SearchScope.SUB, filter, name.name());
        request.setResponseTimeoutMillis(deadline.leftMs());
        request.setSizeLimit(MOST + 1);
        try {
            SearchResult result = directory.search(request);
            return result.getSearchEntries();
        } catch (LDAPSearchException e) {
            if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
                return e.getSearchEntries();
            }
            throw e;
        }
    }
}

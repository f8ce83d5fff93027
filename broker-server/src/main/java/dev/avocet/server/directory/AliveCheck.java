package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionPoolHealthCheck;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;

/**
 * Finds out whether a server answers: it is asked for its root entry, and any answer will do, also that it does not
 * show it.
 */
final class AliveCheck extends LDAPConnectionPoolHealthCheck {
    private final long timeoutMs;

    AliveCheck(long timeoutMs) {
        super();
        this.timeoutMs = timeoutMs;
    }

    @Override
    public void ensureNewConnectionValid(LDAPConnection connection) throws LDAPException {
        ask(connection);
    }

    @Override
    public void ensureConnectionValidForContinuedUse(LDAPConnection connection) throws LDAPException {
        ask(connection);
    }

    private void ask(LDAPConnection connection) throws LDAPException {
        SearchRequest request = new SearchRequest("", SearchScope.BASE, "(objectClass=*)", SearchRequest.NO_ATTRIBUTES);
        request.setResponseTimeoutMillis(timeoutMs);
        try {
            connection.search(request);
        } catch (LDAPSearchException e) {
            if (!e.getResultCode().isConnectionUsable() || e.getResultCode().equals(ResultCode.TIMEOUT)) {
                throw e;
            }
        }
    }
}

package dev.avocet.core.security.login;

/** What a login is to be proved by. A {@link LoginProvider} takes the kinds that it knows. */
public sealed interface Credentials {
    /**
     * A user name and its password.
     *
     * @param password as it came; never logged, and no class changes the array
     */
    record Password(String userName, byte[] password) implements Credentials {
        @Override
        public String toString() {
            return "Password[userName=" + userName + "]";
        }
    }

    /**
     * A token of another server, which says who the client is.
     *
     * @param token as it came; never logged
     */
    record Token(String token) implements Credentials {
        @Override
        public String toString() {
            return "Token[]";
        }
    }

    /**
     * A certificate that the endpoint has verified already; only the groups are asked for.
     *
     * @param userName what the certificate says that its owner is called
     */
    record Certificate(String userName) implements Credentials {}
}

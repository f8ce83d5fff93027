package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.route.WireException;

/** The owner of a connection that logs in without a name, and for whom what becomes of it is nothing to act on. */
final class Unattended implements WireEvents {
    static final Credentials LOGIN = new Credentials() {
        @Override
        public String username() {
            return "";
        }

        @Override
        public String password() {
            return "";
        }
    };

    @Override
    public void restored(final Address address) {}

    @Override
    public void interrupted(final WireException cause) {}

    @Override
    public void failed(final WireException cause) {}
}

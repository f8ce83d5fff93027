package dev.avocet.core.tls.client;

import io.netty.handler.ssl.ClientAuth;

/** Whether clients show certificates. */
public enum ClientCertificates {
    /** They are not asked. */
    NONE(ClientAuth.NONE),
    /** They are asked; who has none comes in all the same, who has a bad one does not. */
    REQUEST(ClientAuth.OPTIONAL),
    /** No client comes in without. */
    REQUIRE(ClientAuth.REQUIRE);

    private final ClientAuth clientAuth;

    ClientCertificates(ClientAuth clientAuth) {
        this.clientAuth = clientAuth;
    }

    public ClientAuth clientAuth() {
        return clientAuth;
    }
}

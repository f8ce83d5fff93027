package dev.avocet.core.tls.client;

import io.netty.handler.ssl.ClientAuth;

/** Whether clients show certificates. */
public enum ClientCertificates {
    /** They are not asked. */
    NONE("none", ClientAuth.NONE),
    /** They are asked; who has none comes in all the same, who has a bad one does not. */
    REQUEST("request", ClientAuth.OPTIONAL),
    /** No client comes in without. */
    REQUIRE("require", ClientAuth.REQUIRE);

    private final String word;
    private final ClientAuth clientAuth;

    ClientCertificates(String word, ClientAuth clientAuth) {
        this.word = word;
        this.clientAuth = clientAuth;
    }

    public ClientAuth clientAuth() {
        return clientAuth;
    }

    /** As it is written in the startup file. */
    @Override
    public String toString() {
        return word;
    }
}

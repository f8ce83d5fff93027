package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.MemberTrust;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;

/** TLS between the members of the group, in the words of its library. */
final class GroupTls {
    private GroupTls() {}

    /** For servers and clients; says nothing without TLS. */
    static Parameters parameters(@Nullable MemberTls tls, GroupDoor door) {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, door);
        if (tls != null) {
            MemberTrust trust = tls.trustingAll().telling(door::refused);
            GrpcTlsConfig config = GrpcTlsConfig.newBuilder()
                    .setName("group")
                    .setKeyManager(tls.keys())
                    .setTrustManager(trust)
                    .setMutualTls(true)
                    .setSslProvider(SslProvider.JDK)
                    .setProtocols(MemberTls.VERSION)
                    .build();
            GrpcConfigKeys.TLS.setConf(parameters, config);
        }
        return parameters;
    }
}

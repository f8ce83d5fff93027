package dev.avocet.ha.coordination.ratis;

import java.time.Duration;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.client.GrpcClientRpc;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;

/**
 * The library's own transport, but that the connections which a member makes resume no session of TLS: Java would not
 * ask again whether the certificate in such a session counts. The library makes it, by the name of its class.
 */
public final class GroupTransport implements RpcType {
    /** Java keeps no ticket where sessions may last longer than TLS 1.3 lets them (RFC 8446, 4.6.1: a week). */
    private static final Duration TOO_LONG = Duration.ofDays(8);

    /** Called by the library. */
    public GroupTransport() {}

    static void choose(RaftProperties properties) {
        RaftConfigKeys.Rpc.setType(properties, new GroupTransport());
    }

    @Override
    public String name() {
        return GroupTransport.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        GrpcTlsConfig tls = GrpcConfigKeys.TLS.conf(parameters);
        return tls == null ? new GrpcFactory(parameters) : new Encrypted(parameters, tls);
    }

    private static final class Encrypted extends GrpcFactory {
        private final GrpcServices.Customizer door;
        private final SslContext listening;
        private final SslContext dialing;

        Encrypted(Parameters parameters, GrpcTlsConfig tls) {
            super(parameters);
            door = GrpcConfigKeys.Server.servicesCustomizer(parameters);
            listening = GrpcUtil.buildSslContextForServer(tls);
            dialing = GrpcUtil.buildSslContextForClient(tls);
            dialing.sessionContext().setSessionTimeout(Math.toIntExact(TOO_LONG.toSeconds()));
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return GrpcServicesImpl.newBuilder()
                    .setServer(server)
                    .setCustomizer(door)
                    .setAdminSslContext(listening)
                    .setServerSslContextForServer(listening)
                    .setServerSslContextForClient(dialing)
                    .setClientSslContext(listening)
                    .build();
        }

        @Override
        public GrpcClientRpc newRaftClientRpc(ClientId client, RaftProperties properties) {
            return GrpcClientRpc.create(client, properties, dialing, dialing);
        }
    }
}

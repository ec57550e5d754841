import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { toUuid } from './messages.ts';
import { admit, answerTo, type Wire } from './wire.ts';

const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
/** The first version whose reads of a stream return positions. */
const PROTOCOL_VERSION = '22.10.0';

/** `Gossip.Read`: lists this node, and the leader if that is another one. */
export function readGossip(
  wire: Wire,
  self: () => { host: string; port: number },
): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
  const member = (at: { host: string; port: number }, state: gossip.MemberInfo.VNodeState) =>
    new gossip.MemberInfo()
      .setInstanceId(toUuid(`00000000-0000-4000-8000-${String(at.port).padStart(12, '0')}`, false))
      .setTimeStamp(String(Date.now()))
      .setState(state)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(at.host).setPort(at.port));
  return (call, callback) => {
    admit(wire, 'gossip', call).then(
      () => {
        const { leader } = wire.faults;
        const members = leader
          ? [member(self(), FOLLOWER), member(leader, LEADER)]
          : [member(self(), LEADER)];
        callback(null, new gossip.ClusterInfo().setMembersList(members));
      },
      (error: unknown) => {
        const answer = answerTo(error);
        if (answer) callback(answer);
      },
    );
  };
}

/** `ServerFeatures.GetSupportedMethods`: lists the supported methods. */
export const supportedMethods: handleUnaryCall<shared.Empty, features.SupportedMethods> = (_, callback) => {
  const method = (service: string, name: string) =>
    new features.SupportedMethod().setServiceName(`event_store.client.${service}`).setMethodName(name);
  callback(
    null,
    new features.SupportedMethods()
      .setEventStoreServerVersion(PROTOCOL_VERSION)
      .setMethodsList([
        method('streams.streams', 'read'),
        method('streams.streams', 'append'),
        method('streams.streams', 'batchappend'),
        method('gossip.gossip', 'read'),
        method('server_features.serverfeatures', 'getsupportedmethods'),
      ]),
  );
};

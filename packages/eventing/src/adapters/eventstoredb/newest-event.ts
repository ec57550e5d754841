import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from './connection.ts';
import { NoAnswerError } from './server-errors.ts';

export interface NewestEvent {
  stream: string;
  position: { commit: bigint; prepare: bigint };
}

type Client = InstanceType<typeof services.StreamsClient>;
type CallArguments = [NonNullable<Parameters<Client['read']>[1]>, { deadline: number }];

interface ClientInternals {
  getGRPCClient(client: typeof services.StreamsClient, name: string): Promise<Client>;
  callArguments(options: { requiresLeader: boolean }, call: { deadline: number }): CallArguments;
}

const METHOD = '/event_store.client.streams.Streams/Read';
const DEADLINE_EXCEEDED = 4;
const BACKWARDS = 1;

const REQUEST = requestOfOne();

/**
 * Asks the leader for the newest event as a call with one answer, without decoding what is in it (ADR 110).
 * @throws NoAnswerError, and an error of any kind where the answer is not one event, as where the log is empty
 */
export async function newestEvent({ client, deadlineMs, closed }: Connection): Promise<NewestEvent> {
  const internals = client as unknown as ClientInternals;
  const grpc = await internals.getGRPCClient(services.StreamsClient, 'newest event');
  const [metadata, options] = internals.callArguments(
    { requiresLeader: true },
    { deadline: Date.now() + deadlineMs },
  );
  const { promise, resolve, reject } = Promise.withResolvers<streams.ReadResp>();
  const call = grpc.makeUnaryRequest(
    ...([METHOD, () => REQUEST, read, null, metadata, options] as const),
    (error, answer) => {
      if (answer) resolve(answer);
      else if (error?.code === DEADLINE_EXCEEDED) reject(new NoAnswerError(`no answer for ${deadlineMs} ms`));
      else reject(error ?? new Error('an answer without a message'));
    },
  );
  const cancel = () => call.cancel();
  closed.addEventListener('abort', cancel);
  const answer = await promise.finally(() => closed.removeEventListener('abort', cancel));
  const event = answer.getEvent()?.getEvent();
  if (!event) throw new Error('an answer without an event');
  return {
    stream: Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString('utf8'),
    position: { commit: BigInt(event.getCommitPosition()), prepare: BigInt(event.getPreparePosition()) },
  };
}

const read = (bytes: Buffer): streams.ReadResp => streams.ReadResp.deserializeBinary(bytes);

function requestOfOne(): Buffer {
  const options = new streams.ReadReq.Options();
  options.setAll(new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty()));
  options.setReadDirection(BACKWARDS);
  options.setCount('1');
  options.setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
  options.setNoFilter(new shared.Empty());
  return Buffer.from(new streams.ReadReq().setOptions(options).serializeBinary());
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { handleClientStreamingCall } from '@grpc/grpc-js';
import type { Expected, Proposed } from './log.ts';
import { fromIdentifier, fromProposed, sizeOf } from './messages.ts';
import { rpcErrors } from './rpc-errors.ts';
import { admit, answerTo, beforeAnswer, Dropped, type Wire } from './wire.ts';

type Options = streams.AppendReq.Options;

/** `Append`: one call with its options, then the events. A wrong version is an answer, not an error. */
export function append(wire: Wire): handleClientStreamingCall<streams.AppendReq, streams.AppendResp> {
  return (call, callback) => {
    void (async () => {
      const fault = await admit(wire, 'append', call);
      const { options, events } = await receive(call, wire.maxAppendSize);
      // A broken connection also ends the messages: do not store an incomplete append.
      await nextTurn();
      if (call.cancelled) throw new Dropped();
      const stream = fromIdentifier(options.getStreamIdentifier());
      const outcome = await wire.log.append(stream, expectedOf(options), events);
      await beforeAnswer(wire, fault, call);
      if (outcome.kind === 'invalid-transaction') throw rpcErrors.invalidTransaction();
      if (outcome.kind === 'wrong-version') return wrongVersion(options, outcome.current);
      return success(outcome.revision, outcome.position);
    })().then(
      (response) => callback(null, response),
      (error: unknown) => {
        const answer = answerTo(error);
        if (answer) callback(answer);
      },
    );
  };
}

async function receive(
  messages: AsyncIterable<streams.AppendReq>,
  maxAppendSize: number,
): Promise<{ options: Options; events: Proposed[] }> {
  let options: Options | undefined;
  let size = 0;
  const events: Proposed[] = [];
  for await (const message of messages) {
    const proposed = message.getProposedMessage();
    if (!options) {
      options = message.getOptions();
      if (!options) throw rpcErrors.invalid('the first message of an append is its options');
      continue;
    }
    if (!proposed) throw rpcErrors.invalid('an append has options once');
    const event = fromProposed(proposed);
    size += sizeOf(event);
    if (size > maxAppendSize) throw rpcErrors.appendTooLarge(maxAppendSize);
    events.push(event);
  }
  if (!options) throw rpcErrors.invalid('an append without options');
  return { options, events };
}

function expectedOf(options: Options): Expected {
  const cases = streams.AppendReq.Options.ExpectedStreamRevisionCase;
  switch (options.getExpectedStreamRevisionCase()) {
    case cases.REVISION:
      return Number(options.getRevision());
    case cases.NO_STREAM:
      return 'no-stream';
    case cases.ANY:
      return 'any';
    case cases.STREAM_EXISTS:
      return 'stream-exists';
    default:
      throw rpcErrors.invalid('an append without an expected revision');
  }
}

function success(revision: number, position: bigint | null): streams.AppendResp {
  const done = new streams.AppendResp.Success();
  if (revision < 0) done.setNoStream(new shared.Empty());
  else done.setCurrentRevision(String(revision));
  if (position === null) done.setNoPosition(new shared.Empty());
  else
    done.setPosition(
      new streams.AppendResp.Position()
        .setCommitPosition(String(position))
        .setPreparePosition(String(position)),
    );
  return new streams.AppendResp().setSuccess(done);
}

function wrongVersion(options: Options, current: number | null): streams.AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  if (options.hasNoStream()) wrong.setExpectedNoStream(new shared.Empty());
  else if (options.hasStreamExists()) wrong.setExpectedStreamExists(new shared.Empty());
  else if (options.hasAny()) wrong.setExpectedAny(new shared.Empty());
  else wrong.setExpectedRevision(options.getRevision());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

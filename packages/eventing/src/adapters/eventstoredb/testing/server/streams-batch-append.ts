import codes from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { AppendOutcome, Expected, Proposed } from './log.ts';
import { fromIdentifier, fromProposed, fromUuid, sizeOf, toIdentifier } from './messages.ts';
import { admit, answerTo, beforeAnswer, type Wire } from './wire.ts';

type Call = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type Options = streams.BatchAppendReq.Options;

interface Batch {
  options: Options;
  events: Proposed[];
  size: number;
}

/** `BatchAppend`: many appends in one call. Each has a correlation id, may come in parts, and gets an answer. */
export function batchAppend(
  wire: Wire,
): handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> {
  return (call) => {
    const batches = new Map<string, Batch>();
    const pending = new Set<Promise<void>>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const work = take(wire, call, batches, request).catch((error: unknown) => {
        const answer = answerTo(error);
        if (answer) call.emit('error', answer);
      });
      pending.add(work);
      void work.finally(() => pending.delete(work));
    });
    call.on('end', () => {
      void Promise.all(pending).then(() => call.end());
    });
    call.on('error', () => {});
  };
}

async function take(
  wire: Wire,
  call: Call,
  batches: Map<string, Batch>,
  request: streams.BatchAppendReq,
): Promise<void> {
  const id = fromUuid(request.getCorrelationId());
  const given = request.getOptions();
  if (given) batches.set(id, { options: given, events: [], size: 0 });
  const batch = batches.get(id);
  if (!batch) return;
  for (const message of request.getProposedMessagesList()) {
    const event = fromProposed(message);
    batch.size += sizeOf(event);
    batch.events.push(event);
  }
  const stream = fromIdentifier(batch.options.getStreamIdentifier());
  const answer = (response: streams.BatchAppendResp) =>
    call.write(
      response.setCorrelationId(request.getCorrelationId()).setStreamIdentifier(toIdentifier(stream)),
    );
  if (batch.size > wire.maxAppendSize) {
    batches.delete(id);
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(wire.maxAppendSize);
    answer(
      refusal(
        codes.Code.INVALID_ARGUMENT,
        'Maximum Append Size Exceeded',
        'MaximumAppendSizeExceeded',
        details,
      ),
    );
    return;
  }
  if (!request.getIsFinal()) return;
  batches.delete(id);
  const fault = await admit(wire, 'batch-append', call);
  const deadline = batch.options.getDeadline();
  if (deadline && deadline.toDate().getTime() <= Date.now()) {
    answer(refusal(codes.Code.DEADLINE_EXCEEDED, 'Timeout', 'Timeout', new shared.Timeout()));
    return;
  }
  const outcome = await wire.log.append(stream, expectedOf(batch.options), batch.events);
  await beforeAnswer(wire, fault, call);
  answer(respond(outcome, batch.options));
}

function expectedOf(options: Options): Expected {
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream-exists';
  return Number(options.getStreamPosition());
}

function respond(outcome: AppendOutcome, options: Options): streams.BatchAppendResp {
  switch (outcome.kind) {
    case 'stored': {
      const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(outcome.revision));
      if (outcome.position === null) success.setNoPosition(new empty.Empty());
      else
        success.setPosition(
          new shared.AllStreamPosition()
            .setCommitPosition(String(outcome.position))
            .setPreparePosition(String(outcome.position)),
        );
      return new streams.BatchAppendResp().setSuccess(success);
    }
    case 'wrong-version': {
      const wrong = new shared.WrongExpectedVersion();
      if (outcome.current === null) wrong.setCurrentNoStream(new empty.Empty());
      else wrong.setCurrentStreamRevision(String(outcome.current));
      if (options.hasNoStream()) wrong.setExpectedNoStream(new empty.Empty());
      else if (options.hasAny()) wrong.setExpectedAny(new empty.Empty());
      else if (options.hasStreamExists()) wrong.setExpectedStreamExists(new empty.Empty());
      else wrong.setExpectedStreamPosition(options.getStreamPosition());
      return refusal(codes.Code.FAILED_PRECONDITION, 'Wrong Expected Version', 'WrongExpectedVersion', wrong);
    }
    case 'invalid-transaction':
      return refusal(codes.Code.UNKNOWN, 'Unknown', 'Unknown', new shared.Unknown());
    default:
      return outcome satisfies never;
  }
}

function refusal(
  code: codes.Code,
  message: string,
  type: string,
  details: { serializeBinary(): Uint8Array },
): streams.BatchAppendResp {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${type}`);
  return new streams.BatchAppendResp().setError(
    new statuses.Status().setCode(code).setMessage(message).setDetails(packed),
  );
}

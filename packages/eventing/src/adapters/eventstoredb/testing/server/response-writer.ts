import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Fault } from './faults.ts';
import { drop, type Wire } from './wire.ts';

/** Writes the responses of a read with back-pressure. */
export interface ResponseWriter {
  /** Returns false once the client has disconnected. @throws RpcError, Dropped for a fault */
  send(response: streams.ReadResp): Promise<boolean>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export function openResponseWriter(
  wire: Wire,
  call: ServerWritableStream<streams.ReadReq, streams.ReadResp>,
  fault: Fault | undefined,
): ResponseWriter {
  const gone = new AbortController();
  let sent = 0;
  for (const event of ['cancelled', 'error', 'close']) call.on(event, () => gone.abort());
  return {
    signal: gone.signal,
    async send(response) {
      if (gone.signal.aborted) return false;
      if (fault?.kind === 'drop-after-messages' && sent++ === fault.messages) {
        if (fault.error) throw fault.error;
        drop(wire, call);
      }
      wire.faults.messages++;
      if (call.write(response)) return true;
      await new Promise<void>((resolve) => {
        const go = () => {
          call.off('drain', go);
          gone.signal.removeEventListener('abort', go);
          resolve();
        };
        call.on('drain', go);
        gone.signal.addEventListener('abort', go);
      });
      return !gone.signal.aborted;
    },
  };
}

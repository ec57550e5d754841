import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Fault } from './faults.ts';
import { drop, type Wire } from './wire.ts';

/** Where the responses of a read go, no faster than the client takes them. */
export interface ResponseWriter {
  /** False when the client is gone. @throws RpcError, Dropped where a fault strikes */
  send(response: streams.ReadResp): Promise<boolean>;
  /** Aborts when the client is gone. */
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

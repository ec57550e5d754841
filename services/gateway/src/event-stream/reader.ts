import type { Writable } from 'node:stream';
import type { Seat } from './subscribers.ts';

/** Writes to the reader of an open stream, and tells their seat while they take nothing. After their end it is lost. */
export function writerTo(out: Writable, seat: Seat): (text: string) => Promise<void> {
  return async (text) => {
    if (out.destroyed || out.writableEnded || out.write(text)) return;
    seat.waits();
    await roomIn(out);
    seat.goesOn();
  };
}

const roomIn = (out: Writable): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      out.off('drain', end).off('close', end);
      resolve();
    };
    out.on('drain', end).on('close', end);
  });

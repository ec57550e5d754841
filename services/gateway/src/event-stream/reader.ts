import type { Writable } from 'node:stream';
import type { Seat } from './subscribers.ts';

/** Milliseconds in which a stalled reader may still read why it is dropped. */
const GRACE_MS = 5_000;
const STALLED = ': the stream ends, since nothing of it was read for too long\n\n';

/** Writes to the reader of an open stream, and tells their seat while they take nothing. After their end it is lost. */
export class ReaderOutput {
  readonly #response: Writable;
  readonly #out: Writable;
  readonly #seat: Pick<Seat, 'waits' | 'goesOn'>;

  /** @param out what leads to the response, such as a compressor, or the response itself */
  constructor(response: Writable, out: Writable, seat: Pick<Seat, 'waits' | 'goesOn'>) {
    this.#response = response;
    this.#out = out;
    this.#seat = seat;
  }

  async write(text: string): Promise<void> {
    const out = this.#out;
    if (out.destroyed || out.writableEnded || out.write(text)) return;
    this.#seat.waits();
    await roomIn(out);
    this.#seat.goesOn();
  }

  /** With an error the connection breaks, so that nobody takes a part of the stream for all. */
  end(error?: Error): void {
    if (error) this.#out.destroy(error);
    else if (!this.#out.writableEnded) this.#out.end();
  }

  drop(): void {
    this.#out.end(STALLED);
    setTimeout(() => this.#response.destroy(), GRACE_MS).unref();
  }
}

const roomIn = (out: Writable): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      out.off('drain', end).off('close', end);
      resolve();
    };
    out.on('drain', end).on('close', end);
  });

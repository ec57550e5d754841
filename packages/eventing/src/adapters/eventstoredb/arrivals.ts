import { NoAnswerError } from './server-errors.ts';

/** The streams of the client are of Node's, but typed by an older version of it. */
interface Source {
  read(): unknown;
  on(event: string, listener: (argument: unknown) => void): this;
  off(event: string, listener: (argument: unknown) => void): this;
  resume(): unknown;
}

export interface ArrivalsOptions {
  /** At most so many in one batch. */
  maxBatch: number;
  /** How long nothing may arrive before the call counts as lost; null where nothing has to arrive. */
  idleMs: number | null;
  signal: AbortSignal;
  /** Ends the call on the server. */
  cancel: () => Promise<void>;
  /** Everything that arrived was handed on. */
  onDrained?: () => void;
}

/**
 * What arrives through a call, in the batches in which it arrives, no faster than they are taken. Ends with the call,
 * or when `signal` aborts; the call is cancelled in any case.
 * @throws what the call fails with, NoAnswerError
 */
export async function* arrivals<T>(
  stream: Source,
  { maxBatch, idleMs, signal, cancel, onDrained }: ArrivalsOptions,
): AsyncGenerator<T[]> {
  let failure: unknown;
  let over = false;
  let wake = () => {};
  const onReadable = () => wake();
  const onError = (error: unknown) => {
    failure ??= error;
    wake();
  };
  const onEnd = () => {
    over = true;
    wake();
  };
  const onAbort = () => wake();
  stream.on('readable', onReadable).on('error', onError).on('end', onEnd).on('close', onEnd);
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const batch: T[] = [];
      while (batch.length < maxBatch) {
        const item = stream.read() as T | null;
        if (item === null) break;
        batch.push(item);
      }
      if (batch.length > 0) {
        yield batch;
        continue;
      }
      onDrained?.();
      if (failure !== undefined) throw failure;
      if (over) return;
      if (!(await woken())) throw new NoAnswerError(`nothing arrived for ${idleMs} ms`);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    stream.off('readable', onReadable);
    // Errors are still heard: cancelling is one for some of what is underneath. It is not waited for, because a call
    // whose server is still being looked for is cancelled when it is found.
    cancel().catch(() => {});
    // What came already is let through: a call that arrived as a whole ends when it is read, not when it is cancelled.
    stream.resume();
  }

  /** False when nothing happened in time. */
  function woken(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = idleMs === null ? undefined : setTimeout(resolve, idleMs, false);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

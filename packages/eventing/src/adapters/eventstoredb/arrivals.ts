import { NoAnswerError } from './server-errors.ts';

/** The client's streams are Node streams, but typed after an older version of Node. */
interface Source {
  read(): unknown;
  on(event: string, listener: (argument: unknown) => void): this;
  off(event: string, listener: (argument: unknown) => void): this;
  resume(): unknown;
}

export interface ArrivalsOptions {
  maxBatch: number;
  /** Milliseconds without data after which the call counts as lost; null disables the timeout. */
  idleMs: number | null;
  signal: AbortSignal;
  cancel: () => Promise<void>;
  /** Called when everything received so far was yielded. */
  onDrained?: () => void;
}

/** Yields what a call receives, in batches and with back-pressure. Always cancels the call. @throws NoAnswerError */
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
    // Parts of the client report a cancellation as an error, so keep listening. Do not await it: it hangs while the
    // client still looks for a server.
    cancel().catch(() => {});
    // Drain the buffer: a call whose answer is complete ends when it is read, not when it is cancelled.
    stream.resume();
  }

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

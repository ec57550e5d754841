/**
 * Shares one read among all who ask for it together, without giving anybody an answer from before he asked: whoever
 * comes while a read is under way waits for the next one, which starts when that one is back.
 */
export function coalesced<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    next = null;
    const begun = read().finally(() => {
      if (running === begun) running = null;
    });
    running = begun;
    return begun;
  }

  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}

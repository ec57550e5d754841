/**
 * Settles as `work` does, or rejects with what `late` gives after so many milliseconds. The work itself goes on, and
 * what becomes of it then is nobody's concern.
 */
export function withDeadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

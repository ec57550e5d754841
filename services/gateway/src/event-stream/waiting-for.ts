/**
 * Waits for a promise for some milliseconds, again and again; resolves to null on time-out. `Promise.race` would leave
 * something in the promise with each try, and a silent stream tries four times a minute for days. A promise that fails
 * while nobody waits for it does not end the process; whoever waits then learns it.
 */
export function waitingFor<T>(promise: Promise<T>): (ms: number) => Promise<T | null> {
  let isSettled = false;
  let wake = () => {};
  const settle = () => {
    isSettled = true;
    wake();
  };
  promise.then(settle, settle);
  return async (ms) => {
    if (!isSettled)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    return isSettled ? promise : null;
  };
}

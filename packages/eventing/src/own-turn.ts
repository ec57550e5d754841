let last: Promise<void> = Promise.resolve();

/** Gives each of many followers who catch up a turn of the event loop of its own, so that requests come between. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Tells who works in a repository, and lets others wait for them. */
export interface Holds {
  /** Keeps policies out of a repository while its refs move, until the returned function is called. */
  hold(projectId: number): () => void;
  /** Resolves when nobody holds the repository, and not before `open`. */
  idle(projectId: number): Promise<void>;
  /** Lets policies start, once every repository matches the log. */
  open(): void;
  /** Resolves when nobody holds any repository. */
  ended(): Promise<void>;
  /**
   * Lets no write begin for so many milliseconds, and resolves when those under way have ended; false, with no hold, if
   * they do not end within that time.
   */
  holdWrites(projectId: number, ms: number): Promise<boolean>;
  letWrite(projectId: number): void;
  /** Resolves at the end of the hold of writes; undefined without one. */
  held(projectId: number): Promise<void> | undefined;
  /** Begins a read that the removal of a moved repository waits for, until the returned function is called. */
  read(projectId: number): () => void;
  /** Resolves when nobody reads. */
  unread(projectId: number): Promise<void>;
}

export function createHolds(): Holds {
  const opened = Promise.withResolvers<void>();
  const holders = new Map<number, Set<Promise<void>>>();
  const readers = new Map<number, Set<Promise<void>>>();
  const gates = new Map<number, { ended: PromiseWithResolvers<void>; timer: NodeJS.Timeout }>();

  const allOf = (users: typeof holders, projectId: number) => Promise.all(users.get(projectId) ?? []);

  function letWrite(projectId: number): void {
    const gate = gates.get(projectId);
    clearTimeout(gate?.timer);
    gates.delete(projectId);
    gate?.ended.resolve();
  }

  return {
    hold: (projectId) => enter(holders, projectId),
    async idle(projectId) {
      await opened.promise;
      await allOf(holders, projectId);
    },
    open: opened.resolve,
    async ended() {
      for (const projectId of gates.keys()) letWrite(projectId);
      await Promise.all([...holders.values()].flatMap((held) => [...held]));
    },
    async holdWrites(projectId, ms) {
      const before = gates.get(projectId);
      clearTimeout(before?.timer);
      const ended = before?.ended ?? Promise.withResolvers<void>();
      const timer = setTimeout(() => letWrite(projectId), ms);
      gates.set(projectId, { ended, timer });
      const last = allOf(holders, projectId).then(() => true);
      const isIdle = await Promise.race([last, sleep(ms / 2, false, { ref: false })]);
      if (!isIdle) letWrite(projectId);
      return isIdle && gates.get(projectId)?.timer === timer;
    },
    letWrite,
    held: (projectId) => gates.get(projectId)?.ended.promise,
    read: (projectId) => enter(readers, projectId),
    async unread(projectId) {
      await allOf(readers, projectId);
    },
  };
}

function enter(users: Map<number, Set<Promise<void>>>, projectId: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const present = users.get(projectId) ?? new Set();
  users.set(projectId, present.add(promise));
  return () => {
    present.delete(promise);
    if (present.size === 0) users.delete(projectId);
    resolve();
  };
}

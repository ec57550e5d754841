import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position } from './event.ts';
import type { Lease, Leases } from './lease.ts';
import { createPresence, type Presence } from './presence.ts';
import type { Register, Registers } from './registers.ts';

interface LeaseRecord {
  holder: string | null;
  position: Position;
}

const NOBODY: LeaseRecord = { holder: null, position: BEGINNING };
const read = ({ value }: Register) => JSON.parse(value) as LeaseRecord;

/** Silence after which a holder counts as gone. */
const PATIENCE_MS = 15_000;

/** The leases of one replica. They share its presence, so an idle lease is never written. */
export function registerLeases(options: {
  registers: Registers;
  /** The register of the presences of all replicas that compete for these leases. */
  presences: string;
  /** Unique per replica and start. */
  holder: string;
  patienceMs?: number;
}): Leases {
  const { registers, presences: name, holder, patienceMs = PATIENCE_MS } = options;
  const presence = createPresence({ name, registers, holder, patienceMs });
  return (lease) => registerLease(lease, registers, presence);
}

/** A holder that wakes from a pause has its write refused. Its work until then is safe: policies may run twice. */
function registerLease(name: string, registers: Registers, presence: Presence): Lease {
  const { holder, beatMs, patienceMs } = presence;
  let version = 0;
  let position = BEGINNING;
  let lost = new AbortController();
  let isEntered = false;
  let noting: NodeJS.Timeout | undefined;
  /** Serialises this holder's writes, which would otherwise conflict. */
  let writing: Promise<unknown> = Promise.resolve();

  async function replace(record: LeaseRecord): Promise<boolean> {
    if (!(await registers.write(name, version, JSON.stringify(record)))) return false;
    version += 1;
    return true;
  }

  /** Retries once after reading: an own write with a lost answer looks like another process's. */
  async function replaceOwn(record: LeaseRecord): Promise<boolean> {
    if (await replace(record)) return true;
    const found = await registers.read(name);
    if (!found || read(found).holder !== holder) return false;
    ({ version } = found);
    return replace(record);
  }

  function hold(by: string | null): Promise<void> {
    const written = writing.then(async () => {
      if (lost.signal.aborted) throw new Error(`the lease of ${name} is lost`);
      if (await replaceOwn({ holder: by, position })) return;
      lost.abort();
      throw new Error(`the lease of ${name} was taken by another replica`);
    });
    writing = written.catch(() => {});
    return written;
  }

  function enter(): void {
    if (!isEntered) presence.enter();
    isEntered = true;
  }

  function leave(): void {
    if (isEntered) presence.leave();
    isEntered = false;
  }

  async function take(signal: AbortSignal, onSeen?: (position: Position) => void): Promise<void> {
    let changedAt = performance.now();
    for (version = -1; ; await sleep(beatMs, undefined, { signal })) {
      signal.throwIfAborted();
      const found = await registers.read(name);
      if ((found?.version ?? 0) !== version) {
        version = found?.version ?? 0;
        changedAt = performance.now();
      }
      const record = found ? read(found) : NOBODY;
      ({ position } = record);
      if (record.holder !== null && record.holder !== holder) {
        onSeen?.(position);
        const silentMs = Math.min(performance.now() - changedAt, presence.silentMs(record.holder));
        if (silentMs < patienceMs) continue;
      }
      if (await replace({ holder, position })) return;
    }
  }

  return {
    async acquire(signal, onSeen) {
      enter();
      try {
        // Only who shows signs of life has looked for those of others.
        await presence.alive(signal);
        await take(signal, onSeen);
        const life = await presence.alive(signal);
        lost = new AbortController();
        return { position, held: AbortSignal.any([signal, life, lost.signal]) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    save(reached) {
      position = reached;
      return hold(holder);
    },
    note(reached) {
      position = reached;
      // Replicas that wait report this position as theirs.
      noting ??= setTimeout(() => {
        noting = undefined;
        hold(holder).catch(() => {});
      }, beatMs).unref();
    },
    async release() {
      clearTimeout(noting);
      noting = undefined;
      try {
        if (!lost.signal.aborted) await hold(null);
      } finally {
        lost.abort();
        leave();
      }
    },
  };
}

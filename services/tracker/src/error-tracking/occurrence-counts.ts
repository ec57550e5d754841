import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { trackedErrorDecider, trackedErrorStream } from './tracked-error.decider.ts';

/** Counts further occurrences of known errors, and writes them together: a program in a loop must not fill the log. */
export interface OccurrenceCounts extends Worker {
  seen(error: { projectId: number; fingerprint: string }, at: string): void;
}

interface Waiting {
  projectId: number;
  fingerprint: string;
  occurrences: number;
  lastSeenAt: string;
}

/** Occurrences of an error are written at once after a quiet time, and then so often at most. */
const PAUSE_MS = 60_000;
const WRITE_MS = 1_000;
const WRITES_AT_ONCE = 100;
/** Errors that are counted at a time; occurrences of more are not counted. */
const MOST_ERRORS = 10_000;

type Ports = Pick<ServicePorts, 'commands' | 'log'>;

export function createOccurrenceCounts({ commands, log }: Ports, now: () => number): OccurrenceCounts {
  const waiting = new Map<string, Waiting>();
  const writtenAt = createLru<string, number>(MOST_ERRORS);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  async function write(due: readonly (readonly [string, Waiting])[]): Promise<void> {
    for (const [stream, counted] of due) {
      // What arrives meanwhile is counted anew.
      waiting.delete(stream);
      writtenAt.set(stream, now());
      try {
        const command = { type: 'CountOccurrences' as const, ...counted };
        await commands.handle(trackedErrorDecider, stream, command, SYSTEM_METADATA, { unprojected: true });
      } catch (error) {
        const later = waiting.get(stream);
        const occurrences = counted.occurrences + (later?.occurrences ?? 0);
        waiting.set(stream, { ...counted, ...later, occurrences });
        log.warn({ err: error, stream }, 'occurrences of an error not written; tried again later');
        return;
      }
    }
  }

  function writeSoon(): void {
    const at = now();
    const isDue = (stream: string) => at - (writtenAt.get(stream) ?? Number.NEGATIVE_INFINITY) >= PAUSE_MS;
    const due = [...waiting].filter(([stream]) => isDue(stream)).slice(0, WRITES_AT_ONCE);
    if (due.length === 0) return;
    writing ??= write(due).finally(() => {
      writing = undefined;
    });
  }

  return {
    seen({ projectId, fingerprint }, at) {
      const stream = trackedErrorStream(projectId, fingerprint);
      const counted = waiting.get(stream);
      if (counted) Object.assign(counted, { occurrences: counted.occurrences + 1, lastSeenAt: at });
      else if (waiting.size < MOST_ERRORS)
        waiting.set(stream, { projectId, fingerprint, occurrences: 1, lastSeenAt: at });
    },
    async start() {
      timer = setInterval(writeSoon, WRITE_MS).unref();
    },
    /** Writes what is counted, which a kill loses: a minute's occurrences at most. */
    async stop() {
      clearInterval(timer);
      await writing;
      await write([...waiting]);
    },
  };
}

const byPorts = new WeakMap<object, OccurrenceCounts>();

/** One for the routes that count and the worker that writes. */
export function occurrenceCountsFor(ports: ServicePorts): OccurrenceCounts {
  const known = byPorts.get(ports) ?? createOccurrenceCounts(ports, () => performance.now());
  byPorts.set(ports, known);
  return known;
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLog } from '@forgelog/eventing/adapters/eventstoredb/testing/server/log.ts';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { BEGINNING, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { freePort, startMeasured } from '../harness/measured-process.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, type Seeded } from '../harness/seed.ts';
import { median } from '../harness/statistics.ts';

const root = join(import.meta.dirname, '../..');
const BATCH = 10_000;
/** Reading the log takes minutes with a million events. */
const MOST_ROUNDS = 3;

/** The time until a second tracker is ready, from a copy of the first one's read models and from the log alone. */
export const newReplica: Scenario = {
  goals: [32],
  async run(bench: Bench) {
    const seeded = await bench.data('large');
    const folder = await bench.folder();
    const events = await fillLog(seeded, join(folder, 'log'));
    bench.tell(`${events} events in the development event store`);
    const log = await startMeasured(
      join(root, 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts'),
      {
        env: { DATA_DIR: join(folder, 'log') },
        output: join(OUT, 'new-replica-log.log'),
        ready: null,
      },
    );
    let replicas = 0;
    /** Finds others at an address, or only itself. */
    const startTracker = async (others?: number) => {
      const port = await freePort();
      const env = {
        DATA_DIR: join(folder, `tracker-${++replicas}`),
        SECRET_KEY: 'the secret key of the bench, long enough',
        EVENTSTORE_URL: `esdb://127.0.0.1:${log.port}?tls=false`,
        TRACKER_URL: `http://127.0.0.1:${others ?? port}`,
      };
      const begin = performance.now();
      const output = join(OUT, 'new-replica-tracker.log');
      const program = join(root, 'services/tracker/src/main.ts');
      const tracker = await startMeasured(program, { env, output, port, ready: '/-/readiness' });
      return { tracker, seconds: (performance.now() - begin) / 1000 };
    };
    const times: Record<'copied' | 'read', number[]> = { copied: [], read: [] };
    const first = await startTracker();
    bench.tell(`the first tracker is ready after ${first.seconds.toFixed(1)} s`);
    try {
      for (let round = 0; round < Math.min(bench.options.rounds, MOST_ROUNDS); round += 1)
        for (const kind of ['copied', 'read'] as const) {
          const { tracker, seconds } = await startTracker(kind === 'copied' ? first.tracker.port : undefined);
          times[kind].push(seconds);
          await tracker.stop();
        }
    } finally {
      await first.tracker.stop();
      await log.stop();
    }
    const detail = `${events} events: ${median(times.copied).toFixed(1)} s and ${median(times.read).toFixed(1)} s`;
    const ratio = times.copied.map((copied, round) => copied / times.read[round]!);
    return [
      result(32, 'a second tracker from a copy against from the log', { atMost: 0.5 }, ratio, detail),
      result(32, 'seconds until it is ready, from a copy', { atMost: 30 }, times.copied, detail),
    ];
  },
};

/** Writes the events of a data folder as the development event store keeps them. Gives their number. */
async function fillLog({ folder }: Seeded, target: string): Promise<number> {
  await mkdir(target, { recursive: true });
  const source = await openSqliteEventStore({ path: join(folder, 'events.db') });
  const log = await openLog({ path: join(target, 'log.db') });
  try {
    for (let after = BEGINNING; ; ) {
      const events = await source.readAll({ after, limit: BATCH });
      const last = events.at(-1);
      if (!last) return log.length();
      await Promise.all(
        events.map(({ stream, revision, ...event }) =>
          log.append(stream, revision === 0 ? 'no-stream' : revision - 1, [proposed(event)]),
        ),
      );
      after = last.position;
    }
  } finally {
    await source.close();
    await log.close();
  }
}

function proposed({
  id,
  type,
  data,
  schemaVersion,
  time,
  metadata,
}: Omit<RecordedEvent, 'stream' | 'revision'>) {
  return {
    ...{ id, type, json: true },
    data: Buffer.from(JSON.stringify(data)),
    customMetadata: Buffer.from(JSON.stringify({ schemaVersion, time, metadata })),
  };
}

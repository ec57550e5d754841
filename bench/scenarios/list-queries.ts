import { join } from 'node:path';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { desc, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { issueJson } from '../../services/tracker/src/issues/issue.view.ts';
import { issues } from '../../services/tracker/src/issues/issues.collection.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import type { Seeded } from '../harness/seed.ts';
import { median } from '../harness/statistics.ts';

const PAGE = 21;
const QUERIES = 2000;
const PLACES = 200;

/** Measures the read store alone for a list: a keyset page at any place, and the total count. */
export const listQueries: Scenario = {
  goals: [5],
  async run({ options, data }: Bench) {
    const [large, small] = [await data('large'), await data('small')];
    const many = await open(large);
    const few = await open(small);
    try {
      const places = await somePlaces(many, large);
      let at = 0;
      const queries = {
        first: () => page(few, small),
        keyset: () => page(many, large, places[at++ % places.length]),
        without: () => page(many, large),
        total: async () => {
          await page(many, large);
          await many.count(issues, { where: inFirst(large), atMost: 10_001 });
        },
      };
      const measured: Record<keyof typeof queries, number[]> = {
        first: [],
        keyset: [],
        without: [],
        total: [],
      };
      for (let round = -1; round < options.rounds; round += 1) {
        for (const name of Object.keys(queries) as (keyof typeof queries)[]) {
          const cost = await costOf(queries[name]);
          if (round >= 0) measured[name].push(cost);
        }
      }
      const ratio = (over: keyof typeof queries, under: keyof typeof queries) =>
        measured[over].map((cost, round) => cost / measured[under][round]!);
      const says = (...names: (keyof typeof queries)[]) =>
        names.map((name) => `${name} ${median(measured[name]).toFixed(0)} µs`).join('; ');
      return [
        result(
          5,
          'keyset page of many against the first of few',
          { atMost: 1.6 },
          ratio('keyset', 'first'),
          says('first', 'keyset'),
        ),
        result(
          5,
          'totals on against off, remembered',
          { atMost: 1.1 },
          ratio('total', 'without'),
          says('without', 'total'),
        ),
      ];
    } finally {
      await many.close();
      await few.close();
    }
  },
};

async function open({ folder }: Seeded): Promise<ReadStore> {
  const store = await openSqliteReadStore({ path: join(folder, 'read-models.db') });
  await store.declare([issues]);
  return store;
}

const inFirst = ({ projects }: Seeded) => eq('projectId', projects[0]!.id);

function page(store: ReadStore, seeded: Seeded, after?: readonly (string | number)[]) {
  return store.find(issues, {
    where: inFirst(seeded),
    sort: [desc('createdAt')],
    limit: PAGE,
    select: issueJson.columns,
    ...(after ? { after } : { offset: 0 }),
  });
}

/** Start values of random pages. */
async function somePlaces(store: ReadStore, seeded: Seeded): Promise<(string | number)[][]> {
  const random = createRandom(2);
  const { id, issues: count } = seeded.projects[0]!;
  const [anchor] = await store.find(issues, { where: inFirst(seeded), sort: [desc('createdAt')], limit: 1 });
  const places: (string | number)[][] = [];
  while (places.length < PLACES) {
    const place = anchor!.place - Math.floor(random() * (count - PAGE));
    const found = await store.get(issues, place);
    if (found?.projectId === id) places.push([found.createdAt!, found.place]);
  }
  return places;
}

/** Microseconds of processor time. */
async function costOf(query: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < QUERIES; at += 1) await query();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / QUERIES;
}

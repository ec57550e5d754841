import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnChart, gridChart, rowChart } from '../support/charts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { createRandom } from '../support/random.ts';
import { startReplica } from '../support/replica-process.ts';
import { commitAll, newFolder, removeFolder } from '../support/repositories.ts';
import { createSeason } from '../support/season/season.ts';
import { addressOf, git } from '../support/stock-git.ts';

const folderOfReplica = resolve(import.meta.dirname, '../../packages/replica');
const readme = readFileSync(join(folderOfReplica, 'README.md'), 'utf8');
const pictureOf = (name: string) => join(folderOfReplica, 'pictures', `${name}.svg`);
const HOUR_MS = 3_600_000;
const STEPS = 240;
const LEVELS: Readonly<Record<number, string>> = {
  ...{ 10: 'guest', 20: 'reporter', 30: 'developer', 40: 'maintainer', 50: 'owner' },
};

let folder: string;
let forgelog: Forgelog;
let tables: DatabaseSync;

/** Answers of the question that the README asks so. */
function answersTo<Answer>(name: string, values: Record<string, string | number> = {}): Answer[] {
  const sql = new RegExp(`\`\`\`sql ${name}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  expect(sql, `the README has no question ${name}`).toBeDefined();
  return tables.prepare(sql!).all(values) as Answer[];
}

/** The same commands at the same times in each run: the pictures change only with the questions. */
async function playSeason(): Promise<void> {
  let now = Date.parse('2026-03-02T08:00:00Z');
  forgelog = await startForgelog({ dataDir: join(folder, 'data'), clock: () => new Date(now) });
  const random = createRandom(3);
  const season = createSeason(forgelog, 3, () => new Date(now));
  const source = newFolder();
  try {
    await season.begin();
    const project = await forgelog.post('/projects', { name: 'Widgets', path: 'widgets' });
    const root = { name: 'root', secret: forgelog.rootToken };
    const address = addressOf(forgelog, project.body.path_with_namespace, root);
    for (let step = 0; step < STEPS; step += 1) {
      // Most work is done between eight and six.
      now += random.below(5) * HOUR_MS;
      const hour = new Date(now).getUTCHours();
      if ((hour < 8 || hour > 17) && random.below(3) > 0) now += ((32 - hour) % 24) * HOUR_MS;
      await season.run(3);
      if (step % 8 !== 0) continue;
      writeFileSync(join(source, 'step.txt'), String(step));
      commitAll(source, `Step ${step}`);
      await git(source, 'push', '-q', address, 'HEAD:main');
    }
  } finally {
    removeFolder(source);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgelog-questions-'));
  await playSeason();
  const database = join(folder, 'replica.sqlite');
  const replica = startReplica('follow', '--server', forgelog.url, '--database', database, '--once');
  expect([await replica.ended, replica.output()]).toEqual([0, expect.stringContaining('caught up')]);
  tables = new DatabaseSync(database, { readOnly: true });
});

afterAll(async () => {
  tables?.close();
  await forgelog?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('how long issues take', async () => {
  const answers = answersTo<{ days: number; issues: number }>('lead-time');
  const bars = answers.map(({ days, issues }) => ({ label: `${days} d`, value: issues }));
  expect(bars.length).toBeGreaterThan(2);
  await expect(columnChart('Closed issues by days from their creation', bars)).toMatchFileSnapshot(
    pictureOf('lead-time'),
  );
});

test('how many issues were open on each day', async () => {
  const answers = answersTo<{ day: string; open_issues: number }>('open-issues');
  const bars = answers.map(({ day, open_issues }) => ({ label: day.slice(5), value: open_issues }));
  const open = tables
    .prepare("SELECT COUNT(*) AS n FROM issues WHERE ended_at IS NULL AND state = 'opened'")
    .get();
  expect(answers.at(-1)!.open_issues).toBe(open!.n);
  await expect(columnChart('Open issues at the end of each day', bars)).toMatchFileSnapshot(
    pictureOf('open-issues'),
  );
});

test('who could do what at a moment', async () => {
  const moment = '2026-03-20T12:00:00.000Z';
  const { project } = tables
    .prepare(
      'SELECT project_id AS project FROM project_rights WHERE valid_from <= :moment AND (valid_until IS NULL OR valid_until > :moment) GROUP BY 1 ORDER BY COUNT(DISTINCT user_id) DESC, 1 LIMIT 1',
    )
    .get({ moment }) as { project: number };
  const bars = answersTo<{ username: string; level: number }>('rights', { project, moment }).map(
    ({ username, level }) => ({
      ...{ label: username, value: level, said: LEVELS[level]! },
    }),
  );
  expect(bars.length).toBeGreaterThan(1);
  await expect(rowChart(`Levels in project ${project} on 20 March 2026 at noon`, bars)).toMatchFileSnapshot(
    pictureOf('rights'),
  );
});

test('what happens in which project, week by week', async () => {
  const cells = answersTo<{ full_path: string; week: string; events: number }>('activity').map(
    ({ full_path, week, events }) => ({
      ...{ row: full_path, column: week, value: events },
    }),
  );
  expect(cells.length).toBeGreaterThan(5);
  await expect(gridChart('Events of people by project and week', cells)).toMatchFileSnapshot(
    pictureOf('activity'),
  );
});

test('how many pushes come out of hours', async () => {
  const answers = answersTo<{ hour: number; pushes: number }>('pushes');
  expect(answers.reduce((sum, { pushes }) => sum + pushes, 0)).toBe(STEPS / 8);
  const bars = Array.from({ length: 24 }, (_, hour) => ({
    label: `${hour} h`,
    value: answers.find((answer) => answer.hour === hour)?.pushes ?? 0,
    isMarked: hour < 8 || hour > 17,
  }));
  const out = bars.filter(({ isMarked }) => isMarked).reduce((sum, { value }) => sum + value, 0);
  await expect(
    columnChart(`Pushes by hour of the day: ${out} of ${STEPS / 8} out of hours`, bars),
  ).toMatchFileSnapshot(pictureOf('pushes'));
});

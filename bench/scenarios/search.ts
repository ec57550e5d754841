import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { normalise } from '@forgelog/eventing/document.ts';
import {
  and,
  broad,
  type Condition,
  desc,
  eq,
  holdsWords,
  not,
  oneOf,
  or,
} from '@forgelog/eventing/query.ts';
import type { Change, ReadStore } from '@forgelog/eventing/read-store.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { issueJson } from '../../services/tracker/src/issues/issue.view.ts';
import { issues } from '../../services/tracker/src/issues/issues.collection.ts';
import { createIssueTexts, type IssueText } from '../harness/issue-texts.ts';
import { type Bench, type Result, result, type Scenario } from '../harness/scenario.ts';
import { median } from '../harness/statistics.ts';

const PAGE = 21;
const PROJECTS = 20;
const AT_ONCE = 2000;
const MEASURED_MS = 300;
const USERS = Array.from({ length: 50 }, (_, at) => at + 1);
/** So many issues hold the word: of a million one in a hundred thousand, one in a thousand, one in ten. */
const WORDS = { seldomword: 100_000, middleword: 1000, oftenword: 10 };
type Word = keyof typeof WORDS;

/** Measures a search for a word among issues, rights and totals included, against FTS5 alone on the same texts. */
export const search: Scenario = {
  goals: [30],
  async run({ options, folder, tell }: Bench) {
    const path = await folder();
    const store = await openSqliteReadStore({ path: join(path, 'read-models.db') });
    const bare = openBare(join(path, 'bare.db'));
    try {
      await fill(store, bare, options.large, tell);
      let asked = 0;
      const results: Result[] = [];
      for (const word of Object.keys(WORDS) as Word[]) {
        const costs = { product: [] as number[], bare: [] as number[] };
        for (let round = -1; round < options.rounds; round += 1) {
          const product = await costOf(() => searched(store, word, ++asked));
          const reference = await costOf(async () => ranked(bare, word));
          if (round >= 0) costs.product.push(product);
          if (round >= 0) costs.bare.push(reference);
        }
        const says = (side: keyof typeof costs) => `${side} ${(median(costs[side]) / 1000).toFixed(1)} ms`;
        const each = costs.product.map((cost, round) => cost / costs.bare[round]!);
        const name = `a word of one in ${WORDS[word]} of ${options.large} issues against FTS5`;
        results.push(result(30, name, { atMost: 3 }, each, `${says('product')}; ${says('bare')}`));
      }
      return results;
    } finally {
      bare.close();
      await store.close();
    }
  },
};

function openBare(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;');
  db.exec('CREATE VIRTUAL TABLE texts USING fts5(title, description)');
  return db;
}

/** A page, the best first, and how many there are up to 10,001. */
function ranked(db: DatabaseSync, word: string): void {
  const of = 'FROM texts WHERE texts MATCH ?';
  db.prepare(`SELECT rowid, title ${of} ORDER BY rank LIMIT ${PAGE}`).all(word);
  db.prepare(`SELECT count(*) FROM (SELECT 1 ${of} LIMIT 10001)`).get(word);
}

/** The same as a member of all but one project asks it. @param asked makes a total that is not remembered */
async function searched(store: ReadStore, word: string, asked: number): Promise<void> {
  const mine = oneOf(
    'projectId',
    Array.from({ length: PROJECTS - 1 }, (_, at) => at + 1),
  );
  const open = and(not(eq('projectId', -asked)), or(eq('confidential', false), mine));
  const where = and(broad(mine), open, holdsWords(['title', 'description'], [word]));
  const first = holdsWords(['title'], [word]);
  const page = (more: Condition, limit: number) =>
    store.find(issues, {
      where: and(where, more),
      sort: [desc('createdAt')],
      limit,
      select: issueJson.columns,
    });
  const found = await page(first, PAGE);
  if (found.length < PAGE) found.push(...(await page(not(first), PAGE - found.length)));
  // As `pageOf` does: what fits on one page is counted by it.
  if (found.length < PAGE) return;
  await store.count(issues, { where, atMost: 10_001 });
}

async function fill(store: ReadStore, bare: DatabaseSync, count: number, tell: Bench['tell']): Promise<void> {
  await store.declare([issues]);
  await store.reset([issues], []);
  const textOf = createIssueTexts(3, USERS);
  const insert = bare.prepare('INSERT INTO texts (rowid, title, description) VALUES (?, ?, ?)');
  for (let from = 1; from <= count; from += AT_ONCE) {
    const changes: Change[] = [];
    bare.exec('BEGIN');
    for (let number = from; number < from + AT_ONCE && number <= count; number += 1) {
      const text = textOf(number);
      for (const [word, every] of Object.entries(WORDS)) {
        if (number % every === 0) text.description += ` ${word}`;
        if (number % (3 * every) === 0) text.title += ` ${word}`;
      }
      const document = documentOf(number, text);
      insert.run(document.place as number, text.title, text.description);
      changes.push({
        ...{ kind: 'put', collection: issues, key: document.place as number, position: '1' },
        document: normalise(issues, document),
      });
    }
    bare.exec('COMMIT');
    await store.write({ changes, checkpoints: new Map() });
    if (from % 100_000 === 1) tell(`${from - 1} of ${count} issues`);
  }
}

function documentOf(number: number, text: IssueText): Record<string, unknown> {
  const projectId = 1 + (number % PROJECTS);
  const iid = Math.ceil(number / PROJECTS);
  const { title, description, authorId, assigneeIds, time } = text;
  return {
    ...{
      place: placeOf(projectId, iid),
      id: number,
      projectId,
      iid,
      authorId,
      assigneeIds,
      title,
      description,
    },
    ...{ participantIds: [], mentionedNames: [], subscriberIds: [], unsubscriberIds: [], labelIds: [] },
    ...{ state: 'opened', issueType: 'issue', confidential: number % 50 === 0, discussionLocked: false },
    ...{ createdAt: time, updatedAt: time, dueDateOrLast: '9999', weightOrLast: 0, timeEstimate: 0 },
    ...{ timeSpent: 0, notesCount: 0, upvotes: 0, downvotes: 0, taskCount: 2, tasksCompleted: 1 },
  };
}

/** Microseconds of processor time each. */
async function costOf(query: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const end = performance.now() + MEASURED_MS;
  let queries = 0;
  for (; queries === 0 || performance.now() < end; queries += 1) await query();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / queries;
}

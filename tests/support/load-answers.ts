import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, type MixedLoad } from './mixed-load.ts';

/* What a client may be answered on a bad day: what is right, or a clear refusal, and always in the end something. */

/** What was acknowledged, by kind: each of it must be readable from then on. */
export interface Kept {
  issues: { iid: number; title: string }[];
  notes: { id: number; body: string }[];
  files: string[];
  tags: string[];
}

/** No deadline of the product's is longer, nor are all that one request can meet together. */
const LONGEST_ANSWER_MS = 60_000;

const OVERTAKEN = /Please refresh and try again\.$/;

export const answerWithin = (): AbortSignal => AbortSignal.timeout(LONGEST_ANSWER_MS);

/**
 * `refused` says that nothing happened, and that a repetition is of use: the answer has Retry-After. `unknown` does
 * not. `surprise` says what is no answer for such a day.
 */
export function verdictOf(
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  { status, headers, body }: { status: number; headers: Headers; body: any },
  due: number,
): { verdict: 'right' | 'refused' | 'unknown'; surprise?: string } {
  if (status === due) return { verdict: 'right' };
  // A commit meets one on its branch whose outcome nobody was told: it is not made.
  if (status === 400 && OVERTAKEN.test(body?.message)) return { verdict: 'refused' };
  const isClear = status === 503 && typeof body?.message === 'string' && body.message.startsWith('503 ');
  if (!isClear) return { verdict: 'unknown', surprise: `${status} ${JSON.stringify(body)}` };
  return { verdict: headers.has('retry-after') ? 'refused' : 'unknown' };
}

/**
 * Reads what a load was acknowledged, again and again until `signal` aborts: each answer holds it, or is a clear
 * refusal that says when to come again. Gives how many were right.
 */
export async function readAgain(
  address: string,
  load: MixedLoad,
  { signal, mayBreak = false }: { signal: AbortSignal; mayBreak?: boolean },
): Promise<number> {
  const api = apiOf(address);
  const { kept, at, surprises } = load;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  type Reading = [path: string, holds: (body: any) => boolean];
  const readings: (() => Reading | undefined)[] = [
    () => last(kept.issues, ({ iid, title }) => [`${at}/issues/${iid}`, (body) => body.title === title]),
    () => last(kept.issues, ({ iid }) => [`${at}/issues?iids[]=${iid}`, (body) => body.length === 1]),
    () => last(kept.notes, ({ id, body }) => [`${at}/issues/1/notes/${id}`, (got) => got.body === body]),
    () =>
      last(kept.files, (name) => [
        `${at}/repository/files/${name}/raw?ref=main`,
        (body) => body === name.repeat(100),
      ]),
    () => last(kept.tags, (name) => [`${at}/repository/tags/${name}`, (body) => body.name === name]),
  ];
  let right = 0;
  for (let turn = 0; !signal.aborted; turn++) {
    const reading = readings[turn % readings.length]!();
    if (!reading) {
      await sleep(5);
      continue;
    }
    const [path, holds] = reading;
    try {
      const answer = await api('GET', path);
      const { verdict, surprise } = verdictOf(answer, 200);
      if (surprise) surprises.push(`GET ${path}: ${surprise}`);
      else if (verdict === 'unknown') surprises.push(`GET ${path}: a refusal without Retry-After`);
      else if (verdict === 'right' && !holds(answer.body))
        surprises.push(`GET ${path}: a wrong answer: ${JSON.stringify(answer.body).slice(0, 300)}`);
      if (verdict === 'right') right += 1;
      else await sleep(50);
    } catch (error) {
      if (!mayBreak) surprises.push(`GET ${path}: no answer: ${(error as Error).cause ?? error}`);
      await sleep(50);
    }
  }
  return right;
}

function last<T, R>(list: readonly T[], then: (item: T) => R): R | undefined {
  const item = list.at(-1);
  return item === undefined ? undefined : then(item);
}

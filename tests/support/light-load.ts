import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from './mixed-load.ts';

/** One client who opens issues, comments on each and reads both, and is never refused. */
export interface LightLoad {
  /** Resolves when so many more rounds were answered as they must be. */
  served(count: number): Promise<void>;
  /** The title of the next issue that is acknowledged. */
  next(): Promise<string>;
  /** Ends it. Gives the titles of all issues that were acknowledged. */
  stop(): Promise<string[]>;
  /** What was answered in any other way. */
  surprises: string[];
}

const PAUSE_MS = 20;

/** Begins at once, in a project of its own, and goes on until `stop`. */
export async function lightLoad(address: string): Promise<LightLoad> {
  const api = apiOf(address);
  const { id } = (await api('POST', '/projects', { name: 'light' })).body;
  const issues = `/projects/${id}/issues`;
  const run = crypto.randomUUID();
  const titles: string[] = [];
  const surprises: string[] = [];
  let rounds = 0;
  let over = false;

  /** @throws Error where it is answered in another way */
  async function asks(due: number, holds: object, method: string, path: string, json?: object) {
    const { status, body } = await api(method, path, json);
    const isRight = status === due && Object.entries(holds).every(([name, value]) => body[name] === value);
    if (!isRight) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  }

  async function round(title: string): Promise<void> {
    const { iid } = await asks(201, { title }, 'POST', issues, { title });
    titles.push(title);
    const body = `About ${title}`;
    const note = await asks(201, { body }, 'POST', `${issues}/${iid}/notes`, { body });
    await asks(200, { title, user_notes_count: 1 }, 'GET', `${issues}/${iid}`);
    await asks(200, { body }, 'GET', `${issues}/${iid}/notes/${note.id}`);
    rounds += 1;
  }

  async function work(): Promise<void> {
    for (let at = 1; !over; at++) {
      await round(`Issue ${at} of ${run}`).catch((error: Error) => surprises.push(`${error.cause ?? error}`));
      await sleep(PAUSE_MS);
    }
  }

  const working = work();
  const more = async (count: () => number, by: number) => {
    const enough = count() + by;
    while (count() < enough) {
      if (surprises.length > 0) throw new Error(surprises.join('\n'));
      await sleep(5);
    }
  };
  return {
    served: (count) => more(() => rounds, count),
    async next() {
      const known = titles.length;
      await more(() => titles.length, 1);
      return titles[known]!;
    },
    async stop() {
      over = true;
      await working;
      return titles;
    },
    surprises,
  };
}

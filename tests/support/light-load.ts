import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { apiOf } from './mixed-load.ts';

/** One client who opens issues, comments on each and reads both, and is never refused. */
export interface LightLoad {
  /** Resolves when so many more rounds were answered as they must be. @throws Error where one is not, or in vain */
  served(count: number, deadlineMs?: number): Promise<void>;
  /** The title of the next issue, of which nothing was sent yet. */
  coming(): string;
  /** Ends it. Gives the titles of all issues that were acknowledged. */
  stop(): Promise<string[]>;
  /** What was answered in any other way. */
  surprises: string[];
}

const PAUSE_MS = 20;

/** Begins at once, in a project of its own, and goes on until `stop`, or the end of the test. */
export async function lightLoad(address: string): Promise<LightLoad> {
  const api = apiOf(address);
  const { id } = (await api('POST', '/projects', { name: 'light' })).body;
  const issues = `/projects/${id}/issues`;
  const run = crypto.randomUUID();
  const titles: string[] = [];
  const surprises: string[] = [];
  const titleOf = (at: number) => `Issue ${at} of ${run}`;
  let begun = 0;
  let rounds = 0;
  let over = false;
  onTestFinished(() => {
    over = true;
  });

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
    while (!over) {
      begun += 1;
      await round(titleOf(begun)).catch((error: Error) => surprises.push(`${error.cause ?? error}`));
      await sleep(PAUSE_MS);
    }
  }

  const working = work();
  return {
    async served(count, deadlineMs) {
      const enough = rounds + count;
      const served = () => {
        if (surprises.length > 0) throw new Error(surprises.join('\n'));
        return rounds;
      };
      await eventually(`rounds of the load, up to ${enough}`, served, {
        until: (done) => done >= enough,
        deadlineMs,
      });
    },
    coming: () => titleOf(begun + 1),
    async stop() {
      over = true;
      await working;
      return titles;
    },
    surprises,
  };
}

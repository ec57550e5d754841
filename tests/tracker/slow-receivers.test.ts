import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { REACHING_LOCAL } from '../support/receiver.ts';

/** The most hooks that a project has. */
const HOOKS = 100;
const PROJECTS = 10;
const AT_ONCE = 20;
const SAMPLES = 15;
/** With room for a machine that does something else meanwhile. The bench has the close bound (goal 31). */
const MOST_RATIO = 3;

let forgelog: Forgelog;
/** Answers that slow receivers owe. */
const owed: ServerResponse[] = [];
let onTold = () => {};
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/slow') owed.push(response);
    else {
      onTold();
      response.end();
    }
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  forgelog = await startForgelog();
  await must(forgelog.put('/application/settings', REACHING_LOCAL));
});
afterAll(async () => {
  for (const response of owed) response.end();
  await forgelog.stop();
  receiver.closeAllConnections();
  receiver.close();
});

async function projectWith(name: string, hooks: number, path: string): Promise<number> {
  const { id } = await must(forgelog.post('/projects', { name }));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  const hook = { url, push_events: false, issues_events: true };
  for (let made = 0; made < hooks; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, hooks - made) }, () =>
        must(forgelog.post(`/projects/${id}/hooks`, hook)),
      ),
    );
  return id;
}

const newIssue = (id: number) => must(forgelog.post(`/projects/${id}/issues`, { title: 'To be told of' }));
const median = (of: number[]) => of.toSorted((a, b) => a - b)[of.length >> 1]!;

/** Medians in milliseconds: of a request, and of the time until the receiver was told of it. */
async function measured(id: number): Promise<{ request: number; delivery: number }> {
  const [requests, deliveries] = [[] as number[], [] as number[]];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const told = new Promise<void>((resolve) => {
      onTold = resolve;
    });
    const began = performance.now();
    await newIssue(id);
    requests.push(performance.now() - began);
    await told;
    deliveries.push(performance.now() - began);
  }
  return { request: median(requests), delivery: median(deliveries) };
}

test('1,000 receivers that accept and do not answer delay neither requests, nor a fast one, nor each other', async () => {
  const fast = await projectWith('fast', 1, '/fast');
  const slow: number[] = [];
  for (let at = 0; at < PROJECTS; at += 1) slow.push(await projectWith(`slow-${at}`, HOOKS, '/slow'));
  await measured(fast);
  const alone = await measured(fast);
  for (const id of slow) await newIssue(id);
  // All at the same time: whoever waited for another's answer would wait for ever.
  await expect.poll(() => owed.length, { timeout: 30_000 }).toBe(PROJECTS * HOOKS);
  const beside = await measured(fast);
  expect(beside.request / alone.request).toBeLessThan(MOST_RATIO);
  expect(beside.delivery / alone.delivery).toBeLessThan(MOST_RATIO);
}, 60_000);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { settleIssue, settleProject } from '../support/inhabitants.ts';

test('a hundred issues opened at once have the numbers 1 to 100, whatever fails in between', async () => {
  const forgelog = await forgelogForTest();
  const projectId = await settleProject(forgelog, 'busy');
  const open = (title: string) => forgelog.post(`/projects/${projectId}/issues`, { title });
  const replies = await Promise.all(
    Array.from({ length: 120 }, (_, at) => open(at % 6 === 5 ? ' ' : `Issue ${at}`)),
  );
  const created = replies.filter(({ status }) => status === 201);
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(20);
  expect(created).toHaveLength(100);
  // A number that a refused one gave back goes to whoever comes next.
  const numbers = new Set(created.map(({ body }) => body.iid as number));
  expect(numbers.size).toBe(100);
  for (let missing = 1; missing <= Math.max(...numbers); missing++)
    if (!numbers.has(missing)) numbers.add((await open('late')).body.iid);
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: numbers.size }, (_, at) => at + 1));
});

test('a number is never given twice, also after deletions and a new start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-numbers-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  let forgelog = await startForgelog({ dataDir });
  const projectId = await settleProject(forgelog, 'fleeting');
  const list = `/projects/${projectId}/issues`;
  const open = async () => (await forgelog.post(list, { title: 'x' })).body.iid;
  for (const iid of [1, 2, 3]) expect(await open()).toBe(iid);
  for (const iid of [3, 2]) expect((await forgelog.delete(`${list}/${iid}`)).status).toBe(204);
  expect(await open()).toBe(4);
  await forgelog.delete(`${list}/4`);
  await forgelog.stop();

  forgelog = await startForgelog({ dataDir });
  onTestFinished(() => forgelog.stop());
  expect(await open()).toBe(5);
  // What another process opened is passed over.
  await settleIssue(forgelog, projectId, 6);
  expect(await open()).toBe(7);
  expect((await forgelog.get(list)).body.map(({ iid }: { iid: number }) => iid)).toEqual([7, 6, 5, 1]);
});

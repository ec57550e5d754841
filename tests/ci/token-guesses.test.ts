import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { registerRunner } from '../support/protocol-runner.ts';

test('whoever guesses tokens of runners or triggers is slowed down, and runners that were there go on', async () => {
  const forgelog = await forgelogForTest({ environment: { TRUSTED_PROXIES: 'loopback' } });
  const project = await must(forgelog.post('/projects', { name: 'built' }));
  const from = (address: string) => ({ token: null, headers: { 'X-Forwarded-For': address } });
  const [guesser, other] = [from('203.0.113.7'), from('203.0.113.8')];
  const registered = await forgelog.post('/runners', { token: project.runners_token }, guesser);
  expect(registered.status).toBe(201);
  const runner = registered.body.token;
  expect((await forgelog.post('/jobs/request', { token: runner }, guesser)).status).toBe(204);
  const ways: [path: string, more: object, wrong: number][] = [
    ['/jobs/request', {}, 403],
    ['/runners/verify', {}, 403],
    ['/runners', {}, 403],
    [`/projects/${project.id}/trigger/pipeline`, { ref: 'main' }, 404],
  ];
  const ask = async (path: string, token: string, more: object, as: object) =>
    (await forgelog.post(path, { token, ...more }, as)).status;
  for (let i = 0; i < 50; i++) {
    const [path, more, wrong] = ways[i % ways.length]!;
    expect(await ask(path, `guess-${i}`, more, guesser), path).toBe(wrong);
  }
  for (const [path, more, wrong] of ways) {
    const refused = await forgelog.post(path, { token: 'one-more', ...more }, guesser);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0], path).toEqual([429, true]);
    expect(await ask(path, 'one-more', more, other), path).toBe(wrong);
  }
  const elsewhere = await registerRunner(forgelog, project.runners_token);
  expect(await ask('/jobs/request', elsewhere.token, {}, guesser)).toBe(429);
  expect(await ask('/jobs/request', runner, {}, guesser)).toBe(204);
  expect(await ask('/jobs/request', elsewhere.token, {}, other)).toBe(204);
});

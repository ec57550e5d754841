import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { faultRounds } from '../support/random.ts';
import { addressOf, commit, emptyFolder, git, tryGit } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

async function project(name: string): Promise<{ id: number; at: string; path: string }> {
  const { body } = await forgelog.post('/projects', { name, initialize_with_readme: true });
  return { id: body.id, at: `/projects/${body.id}`, path: body.path_with_namespace };
}

const refEvents = async (id: number) => {
  const events = await forgelog.system.store.readStream(`repository-${id}`);
  return events
    .filter(({ type }) => type === 'RefUpdated')
    .map(({ data }) => data as { ref: string; oldOid: string; newOid: string });
};

test('one of many concurrent pushes to a branch wins each round, and each moved ref is one event', async () => {
  const { id, path } = await project('pushed');
  const url = addressOf(forgelog, path, { name: 'root', secret: forgelog.rootToken });
  const folder = await emptyFolder();
  const pushers = 50;
  await git(folder, 'clone', '-q', url, 'base');
  const base = join(folder, 'base');
  let tip = await git(base, 'rev-parse', 'HEAD');
  for (let round = 0; round < faultRounds(1); round++) {
    const before = (await refEvents(id)).length;
    const oids: string[] = [];
    for (let pusher = 0; pusher < pushers; pusher++) {
      await git(base, 'checkout', '-q', '--detach', tip);
      oids.push(await commit(base, `Round ${round}, pusher ${pusher}`));
    }
    const runs = await Promise.all(
      oids.map((oid) =>
        tryGit(base, 'push', '-q', `--force-with-lease=main:${tip}`, url, `${oid}:refs/heads/main`),
      ),
    );
    const winners = oids.filter((_, index) => runs[index]!.code === 0);
    expect(winners).toHaveLength(1);
    const events = (await refEvents(id)).slice(before);
    expect(events).toMatchObject([{ ref: 'refs/heads/main', oldOid: tip, newOid: winners[0] }]);
    tip = winners[0]!;
    expect(await git(base, 'ls-remote', url, 'refs/heads/main')).toContain(tip);
  }
});

test('a hundred issues opened concurrently have the numbers 1 to 100', async () => {
  const { at } = await project('numbered');
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => forgelog.post(`${at}/issues`, { title: `Issue ${index}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(201));
  const iids = answers.map(({ body }) => body.iid as number).sort((a, b) => a - b);
  expect(iids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});

test('one of a hundred concurrent writes on the same last commit succeeds', async () => {
  const { id, at } = await project('written');
  const file = `${at}/repository/files/a.txt`;
  await forgelog.post(file, { branch: 'main', content: 'first', commit_message: 'Create' });
  for (let round = 0; round < faultRounds(1); round++) {
    const { body: read } = await forgelog.get(`${file}?ref=main`);
    const before = (await refEvents(id)).length;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        forgelog.put(file, {
          branch: 'main',
          content: `round ${round}, writer ${index}`,
          commit_message: `Writer ${index}`,
          last_commit_id: read.last_commit_id,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const texts = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.message));
    expect([...texts]).toEqual([
      'You are attempting to update a file that has changed since you started editing it.',
    ]);
    expect((await refEvents(id)).length).toBe(before + 1);
    const winner = answers.findIndex(({ status }) => status === 200);
    const raw = await forgelog.get(`${file}/raw?ref=main`);
    expect(raw.text).toBe(`round ${round}, writer ${winner}`);
  }
});

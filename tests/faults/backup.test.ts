import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { backUp, restore, startCommand } from '../support/backups.ts';
import { type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { apiOf, createMixedLoad } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { startServerProcess } from '../support/server-process.ts';
import { verify } from '../support/verify.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Projects that begin, are forked and end, so that a backup meets some in each state. */
async function churn(address: string, { aborted }: { aborted: () => boolean }): Promise<number> {
  const api = apiOf(address);
  const living: number[] = [];
  let round = 0;
  for (; !aborted(); round += 1) {
    const { body } = await api('POST', '/projects', { name: `churn-${round}`, initialize_with_readme: true });
    const commit = { branch: 'main', content: `${round}`, commit_message: 'x' };
    await api('POST', `/projects/${body.id}/repository/files/a`, commit);
    const fork = await api('POST', `/projects/${body.id}/fork`, {
      name: `fork-${round}`,
      path: `fork-${round}`,
    });
    living.push(body.id, fork.body.id);
    if (living.length > 6) await api('DELETE', `/projects/${living.splice(round % 5, 1)[0]}`);
  }
  return round;
}

async function expectRestorable({ folder }: FaultWorld, backup: string, name: string): Promise<string> {
  const target = join(folder, name);
  expect(await restore(backup, target), name).toMatchObject({ code: 0 });
  expect((await verify(target)).problems, name).toEqual([]);
  return target;
}

test('backups under load, some of them killed, are whole, and the last has all that was acknowledged', async () => {
  const world = await faultWorld();
  const server = await world.start();
  const random = createRandom(faultSeed);
  const load = await createMixedLoad(server.address, world.folder, { lasting: true });
  const backup = join(world.folder, 'backup');
  let isOver = false;
  const running = load.run(server.address, (_, stop) => isOver && stop());
  const churning = churn(server.address, { aborted: () => isOver });
  // Also where the test fails before it waits for it.
  churning.catch(() => {});
  try {
    expect(await backUp(world.dataDir, backup)).toMatchObject({ code: 0 });
    for (let round = 0; round < faultRounds(2); round += 1) {
      const { child, ended } = startCommand('backup', [backup], { DATA_DIR: world.dataDir });
      await sleep(random.below(4000));
      child.kill('SIGKILL');
      const { code } = await ended;
      await expectRestorable(world, backup, `round-${round}-${code}`);
      expect(await backUp(world.dataDir, backup), `seed ${faultSeed}`).toMatchObject({ code: 0 });
    }
    await expectRestorable(world, backup, 'under-load');
  } finally {
    isOver = true;
  }
  await running;
  expect(await churning).toBeGreaterThan(0);
  expect(await backUp(world.dataDir, backup)).toMatchObject({ code: 0 });
  await server.killAll();
  const target = await expectRestorable(world, backup, 'last');
  const again = startServerProcess({ DATA_DIR: target });
  const address = await again.ready;
  try {
    expect(await load.check(address!)).toEqual([]);
  } finally {
    await again.stop();
  }
});

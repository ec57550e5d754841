import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endOf, faultWorld } from '../support/fault-world.ts';
import { scrape } from '../support/metrics.ts';
import { apiOf } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { hasStrace, injecting } from '../support/strace.ts';

vi.setConfig({ testTimeout: 600_000 });

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', ['-l', folder]).status === 0;

const probe = '/tmp/forgelog-mount-probe';
const mayMount = await mkdir(probe, { recursive: true }).then(() => mount(probe) && unmount(probe));
await rm(probe, { recursive: true });

/** Bytes below which a disk of that size counts as full. */
const FULL = 0.03 * 64 * 1024 * 1024;

/** Bytes. */
async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

test.skipIf(!mayMount)(
  'a full disk refuses writes with a message while reads go on, and accepts them again once there is space (needs to mount)',
  async () => {
    const world = await faultWorld();
    await mkdir(world.dataDir);
    expect(mount(world.dataDir)).toBe(true);
    onTestFinished(() => void unmount(world.dataDir));
    const server = await world.start();
    const load = await world.load(server);
    await load.run(server.address, (count, stop) => count >= 10 && stop());

    // What fills the disk is of another project than what the load is held to.
    const api = apiOf(server.address);
    const other = await api('POST', '/projects', { name: 'other' });
    const ballast = join(world.dataDir, 'ballast');
    // In steps, because what was done a moment ago may still be on its way to the disk, and a part of what stays free.
    for (let room = await roomIn(world.dataDir); room > FULL - 256 * 1024; room = await roomIn(world.dataDir))
      await appendFile(ballast, Buffer.alloc(64 * 1024));
    const readiness = async () => (await fetch(`${server.address}/-/readiness`)).json();
    await expect.poll(readiness).toMatchObject({ status: 'degraded', disk: { problem: expect.any(String) } });
    const issue = { title: 'Large', description: 'x'.repeat(50_000) };
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await api('POST', `/projects/${other.body.id}/issues`, issue)).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('the disk is full') },
      });
    const commit = { branch: 'main', content: 'x'.repeat(200_000), commit_message: 'Too much' };
    const file = await api('POST', `/projects/${other.body.id}/repository/files/large`, commit);
    expect(file.status).toBe(503);
    // Writes end before the read models of what is in the log lack room, so nothing newer is missing from reads.
    for (const path of ['/projects/1/issues/1', '/projects', '/user', '/projects/1/repository/branches'])
      expect(await api('GET', path), path).toMatchObject({ status: 200 });
    expect((await fetch(`${server.address}/-/readiness`)).status).toBe(200);
    const { samples } = await scrape(server.address);
    const figure = (name: string, reason?: string) =>
      samples.find((one) => one.name === name && one.labels.reason === reason)?.value;
    expect(figure('forgelog_disk_full')).toBe(1);
    expect(figure('forgelog_disk_free_bytes')).toBeLessThan(FULL);
    expect(figure('forgelog_append_failures_total', 'store')).toBeGreaterThanOrEqual(3);

    await rm(ballast);
    await expect.poll(readiness).toEqual({ status: 'ok' });
    const before = load.acknowledged();
    await load.run(server.address, (count, stop) => count >= 20 && stop());
    expect(load.acknowledged()).toBeGreaterThanOrEqual(before + 20);
    expect(await server.stop()).toBe(0);
    const wrong = await world.inspect(({ address }) => load.check(address));
    expect(wrong).toEqual([]);
  },
);

test.skipIf(!hasStrace)(
  'a failed sync of the log loses nothing acknowledged, and the log continues (needs strace)',
  async () => {
    const world = await faultWorld();
    const load = await world.load();
    const random = createRandom(faultSeed + 3);
    for (let round = 0; round < faultRounds(1); round++) {
      const [call, error] = random.pick([
        ['fsync', 'EIO'],
        ['fsync', 'ENOSPC'],
        ['pwrite64', 'ENOSPC'],
        ['pwrite64', 'EIO'],
      ]);
      const first = 2 + random.below(12);
      const under = injecting(
        call!,
        `error=${error}`,
        `${first}..${first + 2}`,
        join(world.dataDir, 'events.db-wal'),
      );
      const server = await world.start({ under });
      await load.run(server.address, (count, stop) => count >= 40 && stop());
      process.kill(server.pid, 'SIGTERM');
      await endOf(server);
      const wrong = await world.inspect(({ address }) => load.check(address));
      expect(wrong, `seed ${faultSeed}, round ${round}: ${call} ${error} ${first}`).toEqual([]);
    }
  },
);

test.skipIf(!hasStrace)(
  'random failures of syncs and writes lose nothing acknowledged (needs strace)',
  async () => {
    const world = await faultWorld();
    const load = await world.load();
    const random = createRandom(faultSeed + 4);
    for (let round = 0; round < faultRounds(2); round++) {
      const [call, error] = random.pick([
        ['fsync', 'EIO'],
        ['write', 'ENOSPC'],
        ['rename', 'EIO'],
        ['pwrite64', 'ENOSPC'],
        ['openat', 'EMFILE'],
      ]);
      const dense = call === 'openat' || call === 'write' || call === 'pwrite64';
      const first = dense ? 600 + random.below(600) : 4 + random.below(20);
      // A burst in each thread. One that came back for ever would be a disk that is broken for good.
      const when = `${first}..${first + random.below(8)}`;
      const { server, up } = await world.tryStart({ under: injecting(call!, `error=${error}`, when) });
      if (up) {
        await load.run(up.address, (count, stop) => {
          if (count >= 40) stop();
        });
        await up.killAll();
      }
      await endOf(server);
      const wrong = await world.inspect(({ address }) => load.check(address));
      expect(wrong, `seed ${faultSeed}, round ${round}: ${call} ${error} ${when}`).toEqual([]);
    }
  },
);

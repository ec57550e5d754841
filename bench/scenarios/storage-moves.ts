import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { git } from '../harness/git-plumbing.ts';
import { createRepository, type ProductRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startSplitProcesses } from '../harness/split-servers.ts';
import { median } from '../harness/statistics.ts';

const MB = 1024 * 1024;
/** 1 GB that no compression makes smaller. A push of more than a hundred objects is kept as a pack. */
const PUSHES = 5;
const FILES = 100;
const FILE_BYTES = 2 * MB;
const QUICK = { pushes: 1, files: FILES };
const STORAGES = ['default', 'second'] as const;
const MOST_ROUNDS = 4;
/** Moves of a gigabyte take a core each for the hashes. */
const MOVE_MS = 900_000;
const RETRY_MS = 10;
const QUIET_MS = 2_000;

/** How long writes wait while a large repository moves to another storage. */
export const storageMoves: Scenario = {
  goals: [34],
  async run(bench: Bench) {
    const size = bench.options.quick ? QUICK : { pushes: PUSHES, files: FILES };
    const gigabytes = ((size.pushes * size.files * FILE_BYTES) / 1e9).toFixed(1);
    const split = await startSplitProcesses(await bench.folder(), STORAGES);
    try {
      const project = await createRepository(split.gateway, 'bench moved');
      await project.commit('First', 'create', [{ path: 'first.txt', content: 'First\n' }]);
      await fill(project, await bench.folder(), size);
      bench.tell(`${gigabytes} GB in ${size.pushes} packs`);
      const holds: number[] = [];
      const usual: number[] = [];
      const took: number[] = [];
      for (let round = 0; round < Math.min(MOST_ROUNDS, bench.options.rounds); round += 1) {
        const writes = writing(project);
        await sleep(QUIET_MS);
        usual.push(writes.longestGap());
        took.push(await move(split.gateway.port, project.id, STORAGES[(round + 1) % 2]!));
        await sleep(QUIET_MS);
        holds.push(await writes.stop());
        bench.tell(
          `moved in ${(took.at(-1)! / 1000).toFixed(0)} s, without a write for ${holds.at(-1)!.toFixed(0)} ms`,
        );
      }
      project.close();
      return [
        result(
          34,
          `ms without a write while ${gigabytes} GB move to another storage`,
          { atMost: 1000 },
          holds,
          `${median(usual).toFixed(0)} ms when nothing moves; a move takes ${(median(took) / 1000).toFixed(0)} s`,
        ),
      ];
    } finally {
      await split.stop();
    }
  },
};

async function fill(
  project: ProductRepository,
  folder: string,
  { pushes, files }: typeof QUICK,
): Promise<void> {
  const work = join(folder, 'work');
  const gitDir = join(work, '.git');
  await mkdir(work, { recursive: true });
  // Nothing to compress, and nothing alike: git need not try.
  const settings = ['-c', 'core.compression=0', '-c', 'core.bigFileThreshold=1m'];
  const run = (...args: string[]) => git(gitDir, ['--work-tree', work, ...settings, ...args]);
  git(gitDir, ['init', '--quiet', '--initial-branch=large']);
  for (let push = 0; push < pushes; push += 1) {
    for (let file = 0; file < files; file += 1)
      await writeFile(join(work, `${push}-${file}.bin`), randomBytes(FILE_BYTES));
    run('add', '--all', '.');
    run('commit', '--quiet', '--message', `Push ${push}`);
    run('push', '--quiet', project.remote, 'large');
  }
}

/** Commits one after the other, until it is stopped. */
function writing({ commit }: ProductRepository) {
  let goesOn = true;
  let [last, longest, written] = [performance.now(), 0, 0];
  const work = (async () => {
    while (goesOn) {
      try {
        written += 1;
        await commit('Written meanwhile', 'create', [
          { path: `meanwhile/${Date.now()}-${written}.txt`, content: `${written}\n` },
        ]);
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      } catch (error) {
        // Whoever is held tries again at once, so that the hold is measured and no client's patience.
        if (!/: 503 /.test(String(error))) throw error;
        await sleep(RETRY_MS);
      }
    }
  })();
  work.catch(() => {});
  return {
    longestGap: () => longest,
    async stop(): Promise<number> {
      goesOn = false;
      await work;
      return longest;
    },
  };
}

/** Returns the milliseconds that it took. On connections of its own, beside the writer's. */
async function move(port: number, id: number, storage: string): Promise<number> {
  const began = performance.now();
  const ask = async (path: string, body?: object): Promise<{ id: number; state: string }> => {
    for (;;) {
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(`http://127.0.0.1:${port}/api/v4${path}`, { headers: rootHeaders, ...sent });
      if (answer.ok) return (await answer.json()) as { id: number; state: string };
      const told = `${path}: ${answer.status} ${await answer.text()}`;
      // A log that is busy for a moment; a lasting one ends the wait for the move.
      if (answer.status !== 503 || performance.now() - began > MOVE_MS) throw new Error(told);
      await sleep(QUIET_MS);
    }
  };
  const asked = { destination_storage_name: storage };
  const { id: moveId } = await ask(`/projects/${id}/repository_storage_moves`, asked);
  for (;;) {
    const { state } = await ask(`/project_repository_storage_moves/${moveId}`);
    if (state === 'finished') return performance.now() - began;
    if (state === 'failed' || performance.now() - began > MOVE_MS) throw new Error(`the move is ${state}`);
    await sleep(100);
  }
}

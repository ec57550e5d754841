import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dump, rebuildReadModels } from '../../rebuild.ts';
import { baskets, catalogue, startSystem } from '../../testing/sample-domain.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';
import { openSqliteReadStore } from './sqlite-read-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function writeAndKill(lines: number): Promise<void> {
  const program = new URL('../../testing/basket-writer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.length / 2;
    if (seen >= lines) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
}

test('read models of a killed process resume at their checkpoint and equal rebuilt ones', async () => {
  for (let round = 0; round < 3; round++) {
    // Enough for read models to be committed, and in the middle of some baskets: at a multiple of 200 all may be
    // closed.
    await writeAndKill(2650);
    const store = await openSqliteEventStore({ path: `${folder}/log.db` });
    const readStore = await openSqliteReadStore({ path: `${folder}/models.db` });
    expect(await readStore.checkpoint('baskets')).not.toBe('');
    const { projectors, projections } = await startSystem({ store, readStore });
    await projectors.stop();
    const live = await dump(readStore, [baskets]);
    await rebuildReadModels({ store, readStore, catalogue, projections });
    expect(await dump(readStore, [baskets])).toBe(live);
    expect(live).not.toBe('');
    await readStore.close();
    await store.close();
  }
});

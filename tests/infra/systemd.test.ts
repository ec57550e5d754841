import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'infra/systemd');
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
const hasSystemd = analyze('--version').status === 0;
/** Tenths, as `systemd-analyze security` counts what a service may do: below is what it calls OK. */
const MOST_EXPOSED = 25;

test('what the units start is there, and is what npm starts', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [unit, script] of [
    ['forgelog.service', 'start'],
    ['forgelog-backup.service', 'backup'],
  ] as const) {
    const text = await readFile(join(folder, unit), 'utf8');
    const [, started] = /^ExecStart=\/usr\/bin\/env (.+)$/m.exec(text)!;
    const npms = scripts[script]!.replace(/^exec /, '');
    expect(started!.startsWith(npms), `${started} of ${unit}`).toBe(true);
    const [, page] = /^Documentation=file:\/\/\/opt\/forgelog\/(.+)$/m.exec(text)!;
    expect(existsSync(join(root, page!))).toBe(true);
  }
});

test.skipIf(!hasSystemd)(
  'systemd reads the units without a complaint, and finds them well protected',
  async () => {
    const units = await readdir(folder);
    expect(units).toHaveLength(3);
    for (const unit of units) {
      const { status, stdout, stderr } = analyze('verify', unit);
      expect({ unit, status, said: `${stdout}${stderr}` }).toEqual({ unit, status: 0, said: '' });
      if (!unit.endsWith('.service')) continue;
      const judged = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED}`, unit);
      expect(judged.status, judged.stdout).toBe(0);
    }
  },
);

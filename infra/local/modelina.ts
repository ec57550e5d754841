import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { orWithout } from './optional.ts';
import { folder } from './server-process.ts';

/** Installs modelina for tests alone, because it has 300 packages. Returns the folder that they lie in. */
export function installModelina(signal?: AbortSignal): Promise<string | null> {
  const home = join(folder, 'modelina');
  const manifests = ['package.json', 'package-lock.json'];
  return orWithout('modelina', () =>
    buildOnce({
      name: 'modelina',
      sources: manifests.map((name) => join(home, name)),
      fetch(into) {
        for (const name of manifests) cpSync(join(home, name), join(into, name));
        return {
          command: 'npm',
          args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
          cwd: into,
        };
      },
      signal,
    }),
  );
}

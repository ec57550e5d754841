import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { orWithout } from './optional.ts';
import { folder } from './server-process.ts';

/**
 * Installs modelina, which generates types from AsyncAPI documents: 300 packages, so that no clone pays for it. Returns
 * the folder that its packages lie in. If it is not available, prints why and returns null.
 */
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

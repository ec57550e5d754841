import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { orWithout } from './optional.ts';
import { folder } from './server-process.ts';

/** Installs a package for tests alone, where it needs hundreds of others. Returns the folder that they lie in. */
const npmProgram = (name: string) => (signal?: AbortSignal) => {
  const home = join(folder, name);
  const manifests = ['package.json', 'package-lock.json'];
  return orWithout(name, () =>
    buildOnce({
      name,
      sources: manifests.map((manifest) => join(home, manifest)),
      fetch(into) {
        for (const manifest of manifests) cpSync(join(home, manifest), join(into, manifest));
        return {
          command: 'npm',
          args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=optional'],
          cwd: into,
        };
      },
      signal,
    }),
  );
};

export const installModelina = npmProgram('modelina');
export const installSemanticRelease = npmProgram('semantic-release');
export const installRenovate = npmProgram('renovate');

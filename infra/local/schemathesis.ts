import { join } from 'node:path';
import { buildOnce, FetchError } from './build-step.ts';
import { orWithout } from './optional.ts';
import { folder } from './server-process.ts';
import { missingTools, type Tool } from './toolchains.ts';

/** `pip --version` names its Python. */
const PIP: Tool = {
  name: 'python3',
  args: ['-m', 'pip', '--version'],
  version: /\(python (\d+)\.(\d+)\)/,
  atLeast: [3, 11],
};

/** Installs Schemathesis from PyPI, which tests the API against its document. Returns the folder of its packages. */
export function installSchemathesis(signal?: AbortSignal): Promise<string | null> {
  const requirements = join(folder, 'schemathesis/requirements.txt');
  return orWithout('schemathesis', async () => {
    const missing = missingTools([PIP]);
    if (missing.length > 0) throw new FetchError(`needed is ${missing.join('; ')}, with pip`);
    return buildOnce({
      name: 'schemathesis',
      sources: [requirements],
      fetch: (into) => ({
        command: 'python3',
        args: ['-m', 'pip', 'install', '-q', '--no-input', '--target', into, '-r', requirements],
        cwd: folder,
      }),
      signal,
    });
  });
}

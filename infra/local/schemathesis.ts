import { join } from 'node:path';
import { buildOnce, FetchError } from './build-step.ts';
import { folder } from './server-process.ts';
import { missingTools, type Tool } from './toolchains.ts';

/** pip tells which Python it belongs to. */
const PIP: Tool = {
  name: 'python3',
  args: ['-m', 'pip', '--version'],
  version: /\(python (\d+)\.(\d+)\)/,
  atLeast: [3, 11],
};

/**
 * Schemathesis from PyPI, which sends what the API's document allows and what it forbids; answers the folder of its
 * Python packages. Where it cannot be had, answers null and says why.
 */
export async function installSchemathesis(signal?: AbortSignal): Promise<string | null> {
  const without = (why: string) => {
    process.stderr.write(`Without schemathesis, which is skipped: ${why}.\n`);
    return null;
  };
  const missing = missingTools([PIP]);
  if (missing.length > 0) return without(`needed is ${missing.join('; ')}, with pip`);
  const requirements = join(folder, 'schemathesis/requirements.txt');
  try {
    return await buildOnce({
      name: 'schemathesis',
      sources: [requirements],
      fetch: (into) => ({
        command: 'python3',
        args: ['-m', 'pip', 'install', '-q', '--no-input', '--target', into, '-r', requirements],
        cwd: folder,
      }),
      signal,
    });
  } catch (error) {
    if (error instanceof FetchError) return without(error.message);
    throw error;
  }
}

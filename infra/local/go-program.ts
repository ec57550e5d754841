import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { folder } from './server-process.ts';

/** Without C: what is built runs on any Linux. */
const ENVIRONMENT = { CGO_ENABLED: '0' };

/**
 * Builds a program from the Go module in `infra/local/<name>`, unless it is built already. Returns its executable.
 * @param options.sources files beside go.mod and go.sum that the result depends on
 * @param options.program what is built: a package of the module, or of a module that it requires
 * @throws FetchError if its modules cannot be fetched
 */
export async function buildGoProgram(
  name: string,
  options: { sources?: readonly string[]; program?: string; tags?: string; signal?: AbortSignal } = {},
): Promise<string> {
  const { sources = ['main.go'], program = '.', tags = '', signal } = options;
  const cwd = join(folder, name);
  const output = await buildOnce({
    name,
    sources: [...sources, 'go.mod', 'go.sum'].map((file) => join(cwd, file)),
    fetch: () => ({ command: 'go', args: ['mod', 'download'], cwd, env: ENVIRONMENT }),
    build: (into) => ({
      command: 'go',
      args: ['build', '-trimpath', '-buildvcs=false', `-tags=${tags}`, '-o', join(into, name), program],
      cwd,
      env: ENVIRONMENT,
    }),
    signal,
  });
  return join(output, name);
}

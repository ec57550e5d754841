import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { folder } from './server-process.ts';

const ENVIRONMENT = { CGO_ENABLED: '0' };

/**
 * Builds a program from the Go module in `infra/local/<name>`. Returns its executable.
 * @param options.program a package of the module, or of one that it requires
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

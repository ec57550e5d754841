import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { orWithout } from './optional.ts';
import { folder } from './server-process.ts';

/** Builds the runner of `shell-runner/`, 150 crates, in two minutes of processor time. Returns its executable. */
export function buildShellRunner(signal?: AbortSignal): Promise<string | null> {
  const cwd = join(folder, 'shell-runner');
  return orWithout('the runner on the crate gitlab-runner', async () => {
    const output = await buildOnce({
      name: 'shell-runner',
      sources: ['Cargo.toml', 'Cargo.lock', 'src/main.rs'].map((file) => join(cwd, file)),
      fetch: () => ({ command: 'cargo', args: ['fetch', '--locked'], cwd }),
      build: (into) => ({
        command: 'cargo',
        args: ['install', '--locked', '--offline', '--debug', '--no-track', '--path', '.', '--root', into],
        cwd,
        env: { CARGO_TARGET_DIR: join(into, 'target') },
      }),
      signal,
    });
    // Half a gigabyte of intermediate results.
    rmSync(join(output, 'target'), { recursive: true, force: true });
    return join(output, 'bin', 'shell-runner');
  });
}

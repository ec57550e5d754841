import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildOnce, FetchError } from './build-step.ts';

const DOWNLOAD = `
apt="apt-get -q -o APT::Sandbox::User=$(id -un)"
own="-o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD/cache"
$apt download "$1" || {
  mkdir -p lists/partial cache/archives/partial
  $apt $own update
  $apt $own download "$1"
}
dpkg-deb -x "$1"_*.deb . && rm -rf lists cache "$1"_*.deb`;

/**
 * Unpacks a program from Debian's package of it, without installing it. Returns its executable.
 * @throws FetchError if this machine has no apt or no mirror, or cannot run the program
 */
export async function unpackDebianProgram(
  name: string,
  options: { of: string; path: string; version: string; signal?: AbortSignal },
): Promise<string> {
  const output = await buildOnce({
    name: `debian-${name}`,
    sources: [import.meta.filename],
    fetch: (into) => ({ command: 'sh', args: ['-ec', DOWNLOAD, 'sh', options.of], cwd: into }),
    signal: options.signal,
  });
  const executable = join(output, options.path);
  const { error, stderr, status } = spawnSync(executable, [options.version], { encoding: 'utf8' });
  if (status !== 0) throw new FetchError(`${name} of Debian does not run here: ${error?.message ?? stderr}`);
  return executable;
}

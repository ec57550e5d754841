import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Whether this machine has a stock apt. */
export const hasApt = await Promise.all([run('apt-get', ['--version']), run('dpkg-deb', ['--version'])]).then(
  () => true,
  () => false,
);

export interface Apt {
  root: string;
  /** @throws with what it printed */
  get(...args: string[]): Promise<string>;
}

/** A stock apt that knows one source, in a folder of its own. */
export function aptFor({
  source,
  key,
  machine,
  login,
  password,
}: {
  /** Address and words of a line of `sources.list`. */
  source: string;
  key: string;
  machine: string;
  login: string;
  password: string;
}): Apt {
  const root = mkdtempSync(join(tmpdir(), 'forgelog-apt-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of [
    'state/lists/partial',
    'cache/archives/partial',
    'etc',
    'var/lib/dpkg/info',
    'var/lib/dpkg/updates',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'var/lib/dpkg/status'), '');
  writeFileSync(join(root, 'etc/key.asc'), key);
  writeFileSync(join(root, 'etc/sources.list'), `deb [arch=amd64 signed-by=${root}/etc/key.asc] ${source}\n`);
  // apt sends a password without encryption only where the machine says so.
  writeFileSync(join(root, 'etc/auth.conf'), `machine ${machine} login ${login} password ${password}\n`);
  const settings = {
    'Dir::State': `${root}/state`,
    'Dir::State::status': `${root}/var/lib/dpkg/status`,
    'Dir::Cache': `${root}/cache`,
    'Dir::Etc': `${root}/etc`,
    'Dir::Log': root,
    'APT::Architecture': 'amd64',
    'APT::Architectures::': 'amd64',
    'APT::Sandbox::User': '',
    'Acquire::http::Proxy': 'DIRECT',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '0',
    'DPkg::Options::': `--root=${root}`,
    'APT::Get::AllowUnauthenticated': 'false',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return {
    root,
    async get(...args) {
      const done = await run('apt-get', [...options, ...args], {
        ...{ cwd: root, timeout: 60_000, env: { ...process.env, LC_ALL: 'C', APT_CONFIG: '/dev/null' } },
      });
      return done.stdout + done.stderr;
    },
  };
}

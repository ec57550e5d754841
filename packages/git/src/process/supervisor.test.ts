import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childrenOf, isRunning, membersOf } from '../testing/processes.ts';
import { commandEnvironment } from './command-environment.ts';
import {
  createSupervisorClient,
  type RunningCommand,
  type SupervisorClient,
  type SupervisorCommand,
} from './supervisor-client.ts';

let supervisor: SupervisorClient;
beforeEach(() => {
  supervisor = createSupervisorClient();
});
afterEach(() => supervisor.close());

/** A git that runs a shell script, to misbehave on demand. */
const shell = (script: string, options: Partial<SupervisorCommand> = {}): SupervisorCommand => ({
  args: ['-c', `alias.sh=!${script}`, 'sh'],
  env: commandEnvironment(join(tmpdir(), 'no-repository')),
  stdin: false,
  deadlineMs: 20_000,
  ...options,
});
const outputOf = async (command: RunningCommand) =>
  Buffer.concat(await Array.fromAsync(command.stdout)).toString();

describe('a command', () => {
  test('reads its stdin and returns stdout, stderr and exit code', async () => {
    const command = await supervisor.start(shell('tr a-z A-Z; echo problem >&2; exit 7; :', { stdin: true }));
    command.stdin!.end('hello');
    expect(await outputOf(command)).toBe('HELLO');
    expect(await command.exit).toEqual({ code: 7, signal: null, timedOut: false, stderr: 'problem\n' });
  });

  test('streams more than any buffer holds, with back-pressure', async () => {
    const size = 20_000_000;
    const command = await supervisor.start(shell('cat; :', { stdin: true }));
    const sent = Buffer.alloc(size, 'x');
    command.stdin!.end(sent);
    let received = 0;
    for await (const chunk of command.stdout as AsyncIterable<Buffer>) received += chunk.length;
    expect([received, (await command.exit).code]).toEqual([size, 0]);
  });

  test('that ignores its stdin still answers', async () => {
    const command = await supervisor.start(shell('echo enough; :', { stdin: true }));
    command.stdin!.write(Buffer.alloc(5_000_000));
    expect(await outputOf(command)).toBe('enough\n');
    expect((await command.exit).code).toBe(0);
  });

  test('inherits no environment', async () => {
    process.env.GIT_DIR_OF_MINE = 'secret';
    const command = await supervisor.start(shell('env; :'));
    const env = await outputOf(command);
    delete process.env.GIT_DIR_OF_MINE;
    expect(env).toContain('GIT_CONFIG_NOSYSTEM=1');
    expect(env).not.toContain('secret');
    expect(env).not.toContain('NODE_');
  });

  test('is killed with its whole group at its deadline', async () => {
    const command = await supervisor.start(shell('sleep 300 & sleep 300; :', { deadlineMs: 300 }));
    await outputOf(command);
    expect(await command.exit).toMatchObject({ timedOut: true });
    expect(membersOf(command.pid)).toEqual([]);
  });

  test('is killed with its whole group on cancel, even if it ignores SIGTERM', async () => {
    const cancel = new AbortController();
    const command = await supervisor.start(
      shell("trap '' TERM; echo on; sleep 300 & sleep 300; :", { signal: cancel.signal }),
    );
    command.stdout.once('data', () => cancel.abort());
    await expect(command.exit).rejects.toMatchObject({ code: 'cancelled' });
    expect(membersOf(command.pid)).toEqual([]);
  });

  test('has ended before a cancel during its start is reported', async () => {
    await supervisor.pid();
    const cancel = new AbortController();
    const starting = supervisor.start(shell('sleep 300; :', { signal: cancel.signal }));
    setImmediate(() => cancel.abort());
    const command = await starting;
    await expect(command.exit).rejects.toMatchObject({ code: 'cancelled' });
    expect(membersOf(command.pid)).toEqual([]);
  });

  test('is not started if it was cancelled before', async () => {
    await expect(supervisor.start(shell('exit; :', { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  test('runs its hooks and waits for the answer', async () => {
    const asked: string[][] = [];
    const script =
      'printf \'transaction prepared\\nupdate x\\n\\n\' >&3; read -r answer <&4; echo "$answer"; :';
    const onHook = async (lines: string[]) => {
      asked.push(lines);
      return { ok: true, message: '' };
    };
    const command = await supervisor.start(shell(script, { onHook }));
    expect([await outputOf(command), asked]).toEqual(['ok\n', [['transaction prepared', 'update x']]]);
  });

  test('ends at its deadline even if a hook never answers', async () => {
    const script = "printf 'transaction prepared\\n\\n' >&3; read -r answer <&4; :";
    const command = await supervisor.start(
      shell(script, { deadlineMs: 300, onHook: () => new Promise(() => {}) }),
    );
    await outputOf(command);
    expect(await command.exit).toMatchObject({ timedOut: true });
    expect(membersOf(command.pid)).toEqual([]);
  });
});

describe('the supervisor', () => {
  test('is restarted after it died, and its running commands fail with SupervisorLostError', async () => {
    const command = await supervisor.start(shell('sleep 300; :'));
    const first = await supervisor.pid();
    process.kill(first, 'SIGKILL');
    await expect(command.exit).rejects.toMatchObject({ code: 'supervisor_lost' });
    process.kill(-command.pid, 'SIGKILL'); // the supervisor can no longer do it
    await expect.poll(() => isRunning(first)).toBe(false);
    const again = await supervisor.start(shell('echo back; :'));
    expect(await outputOf(again)).toBe('back\n');
    expect(await supervisor.pid()).not.toBe(first);
  });

  test('removes its children, its socket and its folder on close', async () => {
    const before = new Set(readdirSync(tmpdir()));
    const command = await supervisor.start(shell('sleep 300 & sleep 300; :'));
    const pid = await supervisor.pid();
    const folders = readdirSync(tmpdir()).filter(
      (name) => name.startsWith('forgelog-git-') && !before.has(name),
    );
    expect(folders.length).toBeGreaterThan(0);
    await supervisor.close();
    expect([isRunning(pid), membersOf(command.pid)]).toEqual([false, []]);
    await expect(supervisor.start(shell('exit; :'))).rejects.toMatchObject({ code: 'closed' });
  });

  test('ends with its children when the serving process is killed', async () => {
    const folder = join(tmpdir(), `forgelog-killed-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const client = fileURLToPath(new URL('./supervisor-client.ts', import.meta.url));
    writeFileSync(
      join(folder, 'serving.ts'),
      `import { createSupervisorClient } from ${JSON.stringify(client)};
       const supervisor = createSupervisorClient();
       await supervisor.start({ args: ['-c', 'alias.sh=!sleep 300; :', 'sh'], env: { PATH: process.env.PATH }, stdin: false, deadlineMs: 0 });
       console.log(await supervisor.pid());
       setInterval(() => {}, 1000);`,
    );
    const serving = spawn(process.execPath, [join(folder, 'serving.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) =>
      serving.stdout.once('data', (data) => resolve(Number(data))),
    );
    const children = childrenOf(pid);
    expect(children.length).toBeGreaterThan(0);
    serving.kill('SIGKILL');
    await expect.poll(() => [pid, ...children.map((child) => child.pid)].filter(isRunning)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(existsSync(folder)).toBe(false);
  });

  test('accepts no push without its hooks', async () => {
    const onHook = async () => ({ ok: true, message: '' });
    const first = await supervisor.pid();
    const [folder] = hooksOf(first);
    rmSync(join(folder!, 'hooks/proc-receive'));
    const command = await supervisor.start(shell('echo on; :', { onHook }));
    expect(await outputOf(command)).toBe('on\n');
    expect(await supervisor.pid()).not.toBe(first);
    expect(isRunning(first)).toBe(false); // it ran on a new one
  });
});

/** The private folder of a supervisor, from its command line. */
function hooksOf(pid: number): string[] {
  const command = execFileSync('tr', ['\\0', '\\n'], {
    input: execFileSync('cat', [`/proc/${pid}/cmdline`]),
  }).toString();
  return command
    .split('\n')
    .filter((part) => part.endsWith('/supervisor'))
    .map((path) => join(path, '..'));
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { restoreCommand } from '@forgelog/infra/backup/restore-command.ts';
import { PROGRAM_ENVIRONMENT } from './server-process.ts';

export interface CommandRun {
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** Starts `npm run backup` or `npm run restore`, without npm, as in the image. */
export function startCommand(
  name: 'backup' | 'restore' | 'epoch' | 'rebuild' | 'verify',
  args: readonly string[],
  environment: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<CommandRun> } {
  const program = resolve(import.meta.dirname, `../../infra/src/${name}.ts`);
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...PROGRAM_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]).then(
    ([[code, signal], stdout, stderr]) => ({ code: signal ?? code, stdout, stderr }),
  );
  return { child, ended };
}

/** Backs a data folder up. */
export const backUp = (dataDir: string, folder: string, ...args: string[]): Promise<CommandRun> =>
  startCommand('backup', [folder, ...args], { DATA_DIR: dataDir }).ended;

/** Restores in this process, which has loaded the product already; `startCommand` does it in one of its own. */
export async function restore(folder: string, dataDir: string, ...args: string[]): Promise<CommandRun> {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({
    isTTY: false,
    write(text: string | Uint8Array) {
      said[name] += text;
      return true;
    },
  });
  // The command's files are private, and not those of the tests after it.
  const umask = process.umask();
  try {
    const code = await restoreCommand([folder, dataDir, ...args], {
      output: into('stdout'),
      errors: into('stderr'),
    });
    return { code, ...said };
  } finally {
    process.umask(umask);
  }
}

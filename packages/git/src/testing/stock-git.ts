/** Stock git, isolated from the machine's configuration, to compare the engine with. */
import { execFile, execFileSync } from 'node:child_process';

export const STOCK_ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.com',
};

export interface StockOptions {
  env?: Record<string, string>;
  input?: string | Buffer;
}

const MAX_BUFFER = 256 * 1024 * 1024;

/** Runs git in a folder. Throws if it fails. */
export function gitBytes(cwd: string, args: string[], options: StockOptions = {}): Buffer {
  const env = { ...STOCK_ENV, ...options.env };
  return execFileSync('git', args, { cwd, env, input: options.input, maxBuffer: MAX_BUFFER, stdio: 'pipe' });
}

/** Returns text without the last newline. */
export function gitText(cwd: string, args: string[], options: StockOptions = {}): string {
  return gitBytes(cwd, args, options).toString().replace(/\n$/, '');
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs git without blocking this process, which may have to serve it. Never throws. */
export function gitAsync(cwd: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      'git',
      args,
      { cwd, env: { ...STOCK_ENV, ...env }, maxBuffer: MAX_BUFFER },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
      },
    );
  });
}

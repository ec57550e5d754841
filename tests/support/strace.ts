import { spawnSync } from 'node:child_process';

/** Whether a process here can be traced and lied to: what needs it is skipped by name elsewhere. */
export const hasStrace: boolean =
  spawnSync('strace', ['-qq', '-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;

/**
 * A command to run a server under, in whose calls of `call` the fault comes true from the n-th on that a thread makes.
 * @param fault `signal=KILL`, `error=ENOSPC`
 * @param path only calls that concern this file
 */
export function injecting(call: string, fault: string, when: string, path?: string): readonly string[] {
  const only = path === undefined ? [] : ['-P', path];
  const trace = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}:when=${when}`];
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'signal=none', ...only, ...trace];
}

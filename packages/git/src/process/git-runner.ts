/** Runs single git commands through the supervisor, within the limits. */

import { GitFailedError, GitTimeoutError } from '../errors.ts';
import { commandEnvironment } from './command-environment.ts';
import { type CommandLimits, createLimiter } from './command-limits.ts';
import { watchMemory } from './memory-watch.ts';
import type { RunningCommand, SupervisorClient } from './supervisor-client.ts';
import type { Exit } from './supervisor-protocol.ts';

/** A repository as git sees it: its folder, and where else objects may be. */
export interface GitLocation {
  gitDir: string;
  /** GIT_OBJECT_DIRECTORY and GIT_ALTERNATE_OBJECT_DIRECTORIES, where they are not the repository's own. */
  objectEnv: Record<string, string>;
}

export interface RunOptions {
  config?: [string, string][];
  env?: Record<string, string>;
  /** Answers our hooks, which run only then. */
  onHook?: (lines: string[]) => Promise<{ ok: boolean; message: string }>;
  /** Milliseconds. Default: the runner's. 0 only for sessions. */
  deadlineMs?: number;
  signal?: AbortSignal;
  /**
   * `heavy` commands (push, fetch, archive: they wait for clients), `walk` (blame and walks over history: they need a
   * core each), `light` and `background` ones have a set of places each, and the last run only on what the others leave of
   * the processor. `session` has no place: a pool, or the command within which it runs, bounds it.
   */
  weight?: Placed | 'session';
}

type Placed = 'light' | 'heavy' | 'walk' | 'background';

export interface CaptureOptions extends RunOptions {
  input?: string | Buffer;
  /** Exit codes that are answers; default only 0. */
  codes?: number[];
  /** Bytes of output to take; at more git is stopped. Default 64 MiB, where a read is a GitTimeoutError then. */
  maxBytes?: number;
}

export interface Captured {
  code: number | null;
  stdout: Buffer;
  stderr: string;
  truncated: boolean;
}

export interface GitRunner {
  /** Starts a command whose stdin is a pipe if `stdin`. Its place is given back when it ends. */
  start(at: GitLocation, args: string[], stdin: boolean, options?: RunOptions): Promise<RunningCommand>;
  /** A place for what a kept session is to do; resolves with the function that gives it back. */
  place(at: GitLocation, weight: Placed, signal?: AbortSignal): Promise<() => void>;
  /** Runs a command to its end and takes its output. */
  capture(at: GitLocation, args: string[], options?: CaptureOptions): Promise<Captured>;
  load(): GitLoad;
}

/**
 * How many commands run and wait now, by weight; `session` is what has no place of its own, sessions
 * that are kept for the next caller among them.
 */
export type GitLoad = Record<Placed | 'session', { running: number; waiting: number }>;

export type RunnerOptions = Record<Placed, CommandLimits> & { deadlineMs: number };

/** What somebody waits for, and what must not take the whole machine. */
const READS: ReadonlySet<RunOptions['weight']> = new Set(['light', 'walk', 'session']);

export function createGitRunner(supervisor: SupervisorClient, options: RunnerOptions): GitRunner {
  const limiters = {
    light: createLimiter(options.light),
    heavy: createLimiter(options.heavy),
    walk: createLimiter(options.walk),
    background: createLimiter(options.background),
  };

  let sessions = 0;

  const start: GitRunner['start'] = async (at, args, stdin, run = {}) => {
    const weight = run.weight ?? 'light';
    const leave = weight === 'session' ? enterSession() : await limiters[weight].enter(at.gitDir, run.signal);
    try {
      const command = await supervisor.start({
        args,
        env: commandEnvironment(at.gitDir, run.config, { ...at.objectEnv, ...run.env }),
        stdin,
        deadlineMs: run.deadlineMs ?? options.deadlineMs,
        background: weight === 'background',
        onHook: run.onHook,
        signal: run.signal,
      });
      command.exit.then(leave, leave);
      return command;
    } catch (error) {
      leave();
      throw error;
    }
  };

  const enterSession = () => {
    sessions += 1;
    return () => {
      sessions -= 1;
    };
  };

  return {
    start,
    place: (at, weight, signal) => limiters[weight].enter(at.gitDir, signal),
    load: () => ({
      light: limiters.light.load(),
      heavy: limiters.heavy.load(),
      walk: limiters.walk.load(),
      background: limiters.background.load(),
      session: { running: sessions, waiting: 0 },
    }),
    async capture(at, args, run = {}) {
      const command = await start(at, args, run.input !== undefined, run);
      const isRead = READS.has(run.weight ?? 'light');
      const memory = isRead ? watchMemory(command) : undefined;
      command.stdin?.end(run.input ?? '');
      const { stdout, truncated } = await collect(command, run.maxBytes ?? 64 * 1024 * 1024);
      const exit = await command.exit;
      if (memory?.outgrown()) throw new GitTimeoutError('git took too much memory');
      const { code, stderr } = exit;
      if (truncated && isRead && run.maxBytes === undefined) throw new GitTimeoutError('git says too much');
      if (!truncated) assertExit(args, exit, run.codes);
      return { code, stderr, stdout, truncated };
    },
  };
}

/** Milliseconds. A push waits longer for what is asked about it than whoever reads: it cannot simply come again. */
const PUSH_DEADLINE_MS = 60_000;

/**
 * For what a push asks while it holds its own place: if that waited for a place too, as many pushes as there are
 * places would all wait for each other, forever.
 */
export function withoutPlaces(runner: GitRunner): GitRunner {
  const own = <T extends RunOptions>(run?: T) =>
    ({ deadlineMs: PUSH_DEADLINE_MS, ...run, weight: 'session' }) as const;
  return {
    start: (at, args, stdin, run) => runner.start(at, args, stdin, own(run)),
    capture: (at, args, run) => runner.capture(at, args, own(run)),
    place: async () => () => {},
    load: runner.load,
  };
}

/** Throws GitFailedError, or GitTimeoutError, unless the command ended with one of these codes. */
export function assertExit(args: string[], exit: Exit, codes: number[] = [0]) {
  if (exit.timedOut) throw new GitTimeoutError();
  if (exit.code === null || !codes.includes(exit.code))
    throw new GitFailedError(args[0]!, exit.code, exit.stderr);
}

async function collect(
  command: RunningCommand,
  maxBytes: number,
): Promise<{ stdout: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of command.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) {
      command.kill();
      return { stdout: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
    }
  }
  return { stdout: Buffer.concat(chunks), truncated: false };
}

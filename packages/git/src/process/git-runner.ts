/** Runs single git commands through the supervisor, within the limits. */

import { GitFailedError, GitTimeoutError } from '../errors.ts';
import { commandEnvironment } from './command-environment.ts';
import { type CommandLimits, createLimiter } from './command-limits.ts';
import { watchMemory } from './memory-watch.ts';
import type { RunningCommand, SupervisorClient } from './supervisor-client.ts';
import type { Exit } from './supervisor-protocol.ts';

export interface GitLocation {
  gitDir: string;
  /** GIT_OBJECT_DIRECTORY and GIT_ALTERNATE_OBJECT_DIRECTORIES, if they are not the repository's own. */
  objectEnv: Record<string, string>;
}

export interface RunOptions {
  config?: [string, string][];
  env?: Record<string, string>;
  /** Answers hooks; they only run if this is set. */
  onHook?: (lines: string[]) => Promise<{ ok: boolean; message: string; report?: string }>;
  /** Milliseconds; 0 only for sessions. Default: the runner's. */
  deadlineMs?: number;
  signal?: AbortSignal;
  /**
   * Selects the slots. `heavy` (push, fetch, archive) waits for clients, `walk` (blame, history) takes a core.
   * `background` runs at low priority. `session` takes no slot, since a pool or an enclosing command bounds it.
   */
  weight?: SlotClass | 'session';
}

type SlotClass = 'light' | 'heavy' | 'walk' | 'background';

export interface CaptureOptions extends RunOptions {
  input?: string | Buffer;
  /** Exit codes of success. Default only 0. */
  codes?: number[];
  /** The most bytes of output; above it git is killed, and a read fails with GitTimeoutError. Default 64 MiB. */
  maxBytes?: number;
}

export interface Captured {
  code: number | null;
  stdout: Buffer;
  stderr: string;
  truncated: boolean;
}

export interface GitRunner {
  /** Starts a command, with a pipe for stdin if `stdin`. Its slot is released when it ends. */
  start(at: GitLocation, args: string[], stdin: boolean, options?: RunOptions): Promise<RunningCommand>;
  /** Takes a slot for work in a session. Resolves with the function that releases it. */
  acquireSlot(at: GitLocation, weight: SlotClass, signal?: AbortSignal): Promise<() => void>;
  capture(at: GitLocation, args: string[], options?: CaptureOptions): Promise<Captured>;
  load(): GitLoad;
}

/** Running and queued commands by weight. `session` includes idle sessions. */
export type GitLoad = Record<SlotClass | 'session', { running: number; waiting: number }>;

export type RunnerOptions = Record<SlotClass, CommandLimits> & { deadlineMs: number };

/** Weights of reads, whose memory is limited. */
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
    acquireSlot: (at, weight, signal) => limiters[weight].enter(at.gitDir, signal),
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

/** Milliseconds. Reads of a push may take longer, since a push cannot simply be repeated. */
const PUSH_DEADLINE_MS = 60_000;

/** Runs the reads of a push without slots. A push holds a slot already, so as many pushes as slots would deadlock. */
export function withoutSlots(runner: GitRunner): GitRunner {
  const own = <T extends RunOptions>(run?: T) =>
    ({ deadlineMs: PUSH_DEADLINE_MS, ...run, weight: 'session' }) as const;
  return {
    start: (at, args, stdin, run) => runner.start(at, args, stdin, own(run)),
    capture: (at, args, run) => runner.capture(at, args, own(run)),
    acquireSlot: async () => () => {},
    load: runner.load,
  };
}

/** @throws GitFailedError or GitTimeoutError unless the command ended with one of these codes */
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

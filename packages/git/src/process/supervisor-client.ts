/** Starts the supervisor, and runs commands through it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitCancelledError, GitError, SupervisorLostError } from '../errors.ts';
import { writeHooks } from './hook-scripts.ts';
import {
  type ClientMessage,
  type DataMessage,
  type Exit,
  type HookAnswer,
  lineSplitter,
  type StartMessage,
  type SupervisorMessage,
} from './supervisor-protocol.ts';

const SUPERVISOR = fileURLToPath(new URL('./supervisor-main.ts', import.meta.url));

export interface SupervisorCommand {
  args: string[];
  env: Record<string, string>;
  /** Whether git gets a stdin pipe; otherwise its stdin is empty. */
  stdin: boolean;
  /** Milliseconds; 0 for a session that ends with its stdin. */
  deadlineMs: number;
  background?: boolean;
  /** Answers the hooks, which only run if this is set. */
  onHook?: (lines: string[]) => Promise<Omit<HookAnswer, 'kind'>>;
  signal?: AbortSignal;
}

export interface RunningCommand {
  /** git's stdin, if asked for. Errors on it are ignored: git may stop reading at any time. */
  stdin: Socket | undefined;
  /** git's stdout. The caller must drain or destroy it. */
  stdout: Socket;
  /** Resolves however git ended. Rejects with SupervisorLostError or GitCancelledError. */
  exit: Promise<Exit>;
  pid: number;
  /** Ends the process group: SIGTERM, then SIGKILL. `exit` resolves when it has ended. */
  kill(): void;
}

export interface SupervisorClient {
  start(command: SupervisorCommand): Promise<RunningCommand>;
  pid(): Promise<number>;
  close(): Promise<void>;
}

interface Supervisor {
  process: ChildProcess;
  socketPath: string;
  ended: Promise<void>;
}

export function createSupervisorClient(): SupervisorClient {
  let current: Promise<Supervisor> | undefined;
  let closed = false;

  const supervisor = (): Promise<Supervisor> => {
    if (closed) throw new GitError('closed', 'git is closed');
    if (!current) {
      const started = launchSupervisor();
      current = started;
      const forget = () => {
        if (current === started) current = undefined;
      };
      started.then((one) => one.ended.then(forget), forget);
    }
    return current;
  };

  return {
    async start(command) {
      const first = await supervisor();
      try {
        return await runCommand(first.socketPath, command);
      } catch (error) {
        if (!(error instanceof SupervisorLostError)) throw error;
        // The supervisor died before git got any input, so retry on a new one.
        first.process.stdin?.destroy();
        await first.ended;
        return runCommand((await supervisor()).socketPath, command);
      }
    },
    pid: async () => (await supervisor()).process.pid!,
    async close() {
      closed = true;
      const last = await current?.catch(() => undefined);
      if (!last) return;
      last.process.stdin?.destroy();
      await last.ended;
    },
  };
}

async function launchSupervisor(): Promise<Supervisor> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-git-'));
  const socketPath = join(folder, 'supervisor');
  await writeHooks(folder);
  // Detached: Ctrl-C in the terminal is for the serving process, which shuts us down in order.
  const child = spawn(process.execPath, ['--max-semi-space-size=1', SUPERVISOR, socketPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
    detached: true,
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  }).then(() => rm(folder, { recursive: true, force: true }));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    ended.then(() => reject(new SupervisorLostError('the git supervisor did not start')), reject);
  });
  return { process: child, socketPath, ended };
}

async function runCommand(socketPath: string, command: SupervisorCommand): Promise<RunningCommand> {
  if (command.signal?.aborted) throw new GitCancelledError();
  const id = randomUUID();
  const { args, env, deadlineMs, background = false } = command;
  const start: StartMessage = {
    kind: 'start',
    id,
    args,
    env,
    stdin: command.stdin,
    hooks: Boolean(command.onHook),
    background,
    deadlineMs,
  };
  const control = open(socketPath, start);
  const stdout = open(socketPath, { kind: 'stdout', id });
  const stdin = command.stdin ? open(socketPath, { kind: 'stdin', id }) : undefined;
  const started = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<Exit>();
  ended.promise.catch(() => {});

  // `exit` resolves when git has really ended, not when the kill was sent.
  const say = (message: ClientMessage) => control.writable && control.write(`${JSON.stringify(message)}\n`);
  const kill = () => say({ kind: 'kill' });
  // Before the start nobody listens for a kill.
  const abort = () => void started.promise.then(kill, () => {});
  command.signal?.addEventListener('abort', abort, { once: true });

  control.on(
    'data',
    lineSplitter((line) => {
      const message = JSON.parse(line) as SupervisorMessage;
      if (message.kind === 'started') started.resolve(message.pid);
      else if (message.kind === 'hook') void answerHook(say, command, message.lines);
      else if (message.kind === 'refused') {
        const error = new GitError('not_started', 'git could not be started');
        started.reject(error);
        ended.reject(error);
      } else {
        const { kind: _, ...exit } = message;
        if (command.signal?.aborted) ended.reject(new GitCancelledError());
        else ended.resolve(exit);
      }
    }),
  );
  control.once('close', () => {
    command.signal?.removeEventListener('abort', abort);
    const lost = new SupervisorLostError();
    started.reject(lost);
    ended.reject(lost);
  });

  try {
    const pid = await started.promise;
    return { stdin, stdout, exit: ended.promise, pid, kill };
  } catch (error) {
    for (const socket of [control, stdin, stdout]) socket?.destroy();
    throw error;
  }
}

/** Opens a connection and says what it is for. A connection error shows as its early end. */
function open(socketPath: string, first: StartMessage | DataMessage): Socket {
  const socket = connect(socketPath);
  socket.on('error', () => {});
  socket.write(`${JSON.stringify(first)}\n`);
  return socket;
}

async function answerHook(say: (answer: HookAnswer) => void, command: SupervisorCommand, lines: string[]) {
  let verdict: Omit<HookAnswer, 'kind'> = { ok: false, message: 'internal error' };
  try {
    verdict = await command.onHook!(lines);
  } catch {
    // The caller of the hook handles its error; git only learns of the refusal.
  }
  say({ kind: 'answer', ...verdict });
}

/** Joins the connections of a command, spawns git with them, and enforces its deadline. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { attachHooks } from './hook-channel.ts';
import { withHooks } from './hook-scripts.ts';
import {
  type ClientMessage,
  type DataMessage,
  lineSplitter,
  type StartMessage,
  type SupervisorMessage,
} from './supervisor-protocol.ts';

const STDERR_KEPT = 64 * 1024;
/** Milliseconds between SIGTERM, on which git removes its lock files, and SIGKILL. */
const GRACE_MS = 2_000;

interface Waiting {
  start?: StartMessage;
  control?: Socket;
  stdin?: Socket;
  stdout?: Socket;
}

export interface SupervisedCommands {
  control(start: StartMessage, socket: Socket): void;
  data(message: DataMessage, socket: Socket): void;
  /** Kills every child and waits until none is left. */
  killAll(): Promise<void>;
}

/** `folder` holds the hooks; `broken` is called when they are missing. */
export function createSupervisedCommands(folder: string, broken: () => void): SupervisedCommands {
  const waiting = new Map<string, Waiting>();
  const running = new Set<ChildProcess>();

  const environment = (start: StartMessage) => {
    try {
      return start.hooks ? withHooks(folder, start.env) : start.env;
    } catch {
      broken();
      return undefined;
    }
  };

  const join = (id: string, part: Waiting) => {
    const command = { ...waiting.get(id), ...part };
    const { start, control, stdin, stdout } = command;
    if (start && control && stdout && (stdin || !start.stdin)) {
      waiting.delete(id);
      const env = environment(start);
      if (control.destroyed || !env) for (const socket of [control, stdin, stdout]) socket?.destroy();
      else launch({ ...start, env }, control, stdin, stdout, running);
    } else waiting.set(id, command);
  };

  const forget = (id: string) => {
    const command = waiting.get(id);
    waiting.delete(id);
    for (const socket of [command?.control, command?.stdin, command?.stdout]) socket?.destroy();
  };

  return {
    control(start, socket) {
      socket.once('close', () => forget(start.id));
      join(start.id, { start, control: socket });
    },
    data(message, socket) {
      join(message.id, { [message.kind]: socket });
    },
    async killAll() {
      await Promise.all([...running].map((child) => endGroup(child)));
    },
  };
}

function launch(
  start: StartMessage,
  control: Socket,
  stdin: Socket | undefined,
  stdout: Socket,
  running: Set<ChildProcess>,
) {
  const say = (message: SupervisorMessage) =>
    control.writable && control.write(`${JSON.stringify(message)}\n`);
  const child = spawn('git', start.args, {
    cwd: '/',
    env: start.env,
    detached: true, // own process group: a signal reaches git's children too
    stdio: [stdin ?? 'ignore', stdout, 'pipe', ...(start.hooks ? (['pipe', 'pipe'] as const) : [])],
  });
  // git holds duplicates. With ours closed, the connection ends when git does.
  stdin?.destroy();
  stdout.destroy();

  let stderr = Buffer.alloc(0);
  let timedOut = false;
  let gone = false;
  let deadline: NodeJS.Timeout | undefined;
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_KEPT);
  });
  const finish = (code: number | null, signal: string | null) => {
    if (gone) return;
    gone = true;
    running.delete(child);
    clearTimeout(deadline);
    for (const stream of child.stdio) stream?.destroy();
    say({ kind: 'exit', code, signal, timedOut, stderr: stderr.toString() });
    control.end();
  };
  child.on('error', (error) => {
    if (child.pid !== undefined) return;
    say({ kind: 'refused', message: error.message });
    finish(null, null);
  });
  child.on('exit', (code, signal) => {
    signalGroup(child, 'SIGKILL'); // processes that git left behind
    setTimeout(finish, GRACE_MS, code, signal).unref();
  });
  // `close` comes after the exit, when stderr has been read to its end.
  child.on('close', finish);
  if (child.pid === undefined) return;

  running.add(child);
  if (start.background) giveWay(child.pid);
  if (start.deadlineMs > 0) {
    deadline = setTimeout(() => {
      timedOut = true;
      void endGroup(child);
    }, start.deadlineMs);
  }
  control.on('close', () => {
    if (!gone) void endGroup(child);
  });
  const answer = start.hooks && attachHooks(child.stdio[3] as Duplex, child.stdio[4] as Duplex, say);
  control.on(
    'data',
    lineSplitter((line) => {
      const message = JSON.parse(line) as ClientMessage;
      if (message.kind === 'kill') void endGroup(child);
      else if (answer) answer(message);
    }),
  );
  say({ kind: 'started', pid: child.pid });
}

/** Lowers the priority before git has threads or children, which inherit it. Failure is harmless. */
function giveWay(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the machine forbids it.
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // The group has ended.
  }
}

/** Sends SIGTERM, then SIGKILL. Resolves when the leader has been reaped. */
function endGroup(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const force = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    signalGroup(child, 'SIGTERM');
  });
}

/**
 * What the serving process and the supervisor say to each other over the Unix socket.
 *
 * A command is one control connection of JSON lines, and one plain connection for each of git's stdin and
 * stdout. The supervisor hands those two to git as its file descriptors 0 and 1 and closes its own copies: bytes go
 * between git and the serving process through the kernel alone, back-pressure included, and the supervisor copies
 * nothing. The end of the control connection is the end of the command.
 */

/** First line of a control connection. */
export interface StartMessage {
  kind: 'start';
  /** Ties the data connections to this command; unguessable only by virtue of the private directory. */
  id: string;
  /** Arguments after `git`. */
  args: string[];
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  stdin: boolean;
  /** Whether our hooks run. They speak over file descriptors 3 (to us) and 4 (from us). */
  hooks: boolean;
  /** Whether everything else goes first where the processor is short. */
  background: boolean;
  /** Milliseconds until the group is killed; 0 for a session without end. */
  deadlineMs: number;
}

/** First line of a data connection. */
export interface DataMessage {
  kind: 'stdin' | 'stdout';
  id: string;
}

/** Client to supervisor, after the start. */
export interface HookAnswer {
  kind: 'answer';
  ok: boolean;
  message: string;
}

/** Client to supervisor: end the group. The exit is reported as ever, when it has ended. */
export interface KillMessage {
  kind: 'kill';
}

export type ClientMessage = HookAnswer | KillMessage;

/** How a command ended. `code` is null where a signal ended it. `stderr` holds the last 64 KiB. */
export interface Exit {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  stderr: string;
}

/** Supervisor to client. */
export type SupervisorMessage =
  | { kind: 'started'; pid: number }
  | { kind: 'refused'; message: string }
  | { kind: 'hook'; lines: string[] }
  | ({ kind: 'exit' } & Exit);

/** Calls `onLine` for each complete line of what is pushed; returns the push function. */
export function lineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10)) {
      const line = data.toString('utf8', 0, at);
      data = data.subarray(at + 1);
      onLine(line);
    }
    rest = data;
  };
}

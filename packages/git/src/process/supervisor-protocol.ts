/**
 * The protocol between the serving process and the supervisor, over a Unix socket. A command has a control connection
 * of JSON lines, and a raw connection each for git's stdin and stdout. The supervisor passes these two to git as file
 * descriptors and closes its copies. So bytes flow through the kernel alone, with back-pressure. The control connection
 * ends with the command.
 */

/** The first line of a control connection. */
export interface StartMessage {
  kind: 'start';
  /** Matches data connections to this command. Only the private directory keeps it secret. */
  id: string;
  args: string[];
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  stdin: boolean;
  /** Whether our hooks run. They write to file descriptor 3 and read from 4. */
  hooks: boolean;
  background: boolean;
  /** Milliseconds until the group is killed; 0 for a session. */
  deadlineMs: number;
}

/** The first line of a data connection. */
export interface DataMessage {
  kind: 'stdin' | 'stdout';
  id: string;
}

/** From the client, after the start. */
export interface HookAnswer {
  kind: 'answer';
  ok: boolean;
  message: string;
  /** What the hook writes to its output. */
  report?: string;
}

/** From the client: end the group. The exit is reported as usual. */
export interface KillMessage {
  kind: 'kill';
}

export type ClientMessage = HookAnswer | KillMessage;

/** `code` is null if a signal ended the command. `stderr` holds the last 64 KiB. */
export interface Exit {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  stderr: string;
}

/** From the supervisor. */
export type SupervisorMessage =
  | { kind: 'started'; pid: number }
  | { kind: 'refused'; message: string }
  | { kind: 'hook'; lines: string[] }
  | ({ kind: 'exit' } & Exit);

/** Calls `onLine` for each complete line. Returns the function to push chunks to. */
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

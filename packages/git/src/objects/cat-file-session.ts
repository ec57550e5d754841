/** A long-lived `git cat-file --batch-command`. Requests are pipelined, and answers come in order. */

import { GitFailedError } from '../errors.ts';
import type { RunningCommand } from '../process/supervisor-client.ts';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';
export interface ObjectInfo {
  type: ObjectType;
  size: number;
}
/** `content` is absent if the object exceeds `maxBytes`. */
export type ObjectAnswer = ObjectInfo & { content?: Buffer };

interface Request {
  line: string;
  /** The most bytes of content; undefined for `info`. */
  maxBytes: number | undefined;
  resolve: (answer: ObjectAnswer | undefined) => void;
  reject: (error: Error) => void;
}

export interface ObjectSession {
  /** `oid` must be validated. Rejects with GitFailedError if git ends first: use another session. */
  info(oid: string): Promise<ObjectAnswer | undefined>;
  contents(oid: string, maxBytes: number): Promise<ObjectAnswer | undefined>;
  pending(): number;
  isOpen(): boolean;
  close(): void;
}

const ended = () => new GitFailedError('cat-file', null, 'ended before its answer');

export function createObjectSession(command: RunningCommand): ObjectSession {
  const requests: Request[] = [];
  let answered = 0; // requests before this index are answered; trimmed periodically
  let open = true;
  let header: Buffer[] = [];
  let body: { info: ObjectInfo; bytes: Buffer; filled: number } | undefined;
  const stdin = command.stdin!;

  const end = () => {
    if (!open) return;
    open = false;
    command.kill();
    command.stdout.destroy();
    for (const request of requests.splice(0).slice(answered)) request.reject(ended());
    answered = 0;
  };

  const next = (answer: ObjectAnswer | undefined) => {
    requests[answered++]!.resolve(answer);
    if (answered > 256 || answered === requests.length) {
      requests.splice(0, answered);
      answered = 0;
    }
  };

  const takeHeader = (line: string) => {
    const request = requests[answered];
    if (!request) return end();
    const [, type, size] = line.split(' ');
    if (size === undefined) return next(undefined); // "<oid> missing"
    const info = { type: type as ObjectType, size: Number(size) };
    if (request.maxBytes === undefined) return next(info);
    if (info.size > request.maxBytes) {
      // Draining the content would delay later requests; a new process is cheaper.
      next(info);
      return end();
    }
    body = { info, bytes: Buffer.allocUnsafeSlow(info.size + 1), filled: 0 };
  };

  const take = (chunk: Buffer) => {
    let data = chunk;
    while (data.length > 0 && open) {
      if (body) {
        const taken = data.copy(body.bytes, body.filled);
        data = data.subarray(taken);
        body.filled += taken;
        if (body.filled < body.bytes.length) return;
        const { info, bytes } = body;
        body = undefined;
        next({ ...info, content: bytes.subarray(0, -1) }); // a newline ends it
      } else {
        const at = data.indexOf(10);
        if (at < 0) return void header.push(data);
        const line = Buffer.concat([...header, data.subarray(0, at)]).toString('latin1');
        header = [];
        data = data.subarray(at + 1);
        takeHeader(line);
      }
    }
  };

  command.stdout.on('data', take);
  command.stdout.on('close', end);
  command.exit.then(end, end);

  const ask = (line: string, maxBytes: number | undefined) =>
    new Promise<ObjectAnswer | undefined>((resolve, reject) => {
      if (!open) return reject(ended());
      requests.push({ line, maxBytes, resolve, reject });
      stdin.write(line);
    });

  return {
    info: (oid) => ask(`info ${oid}\n`, undefined),
    contents: (oid, maxBytes) => ask(`contents ${oid}\n`, maxBytes),
    pending: () => requests.length - answered,
    isOpen: () => open,
    close: end,
  };
}

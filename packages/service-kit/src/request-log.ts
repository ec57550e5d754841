import { pino } from 'pino';
import type { Logger } from './log.ts';

export interface RequestEntry {
  requestId: string;
  traceId: string | undefined;
  method: string | undefined;
  path: string;
  status: number;
  ms: number;
  user: number | undefined;
  client: string | null;
  aborted: true | undefined;
}

/** Writes the same lines as pino, which looks up serializers for each member: as long as Express takes. */
export function createRequestLog(log: Logger): Logger {
  return Object.assign(log.child({}), { [pino.symbols.asJsonSym]: lineOf });
}

function lineOf(entry: RequestEntry, message: string, level: number, timeMember: string): string {
  const { traceId, method, user, client } = entry;
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  const verb = method === undefined ? '' : `,"method":"${method}"`;
  const caller = user === undefined ? '' : `,"user":${user}`;
  const address = client === null ? 'null' : `"${client}"`;
  const begin = `{"level":${level}${timeMember},"requestId":"${entry.requestId}"${trace}${verb}`;
  const path = JSON.stringify(entry.path);
  const end = `,"client":${address}${entry.aborted ? ',"aborted":true' : ''},"msg":"${message}"}\n`;
  return `${begin},"path":${path},"status":${entry.status},"ms":${entry.ms}${caller}${end}`;
}

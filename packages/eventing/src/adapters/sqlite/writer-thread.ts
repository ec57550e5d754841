import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CorruptLogError } from '../../event-store.ts';
import { checkLog } from './log-check.ts';
import { type Answer, type Append, LogWriter, type LogWriterOptions, openLog } from './log-writer.ts';
import { isDamage } from './sqlite-errors.ts';

/* Owns the log's write connection. Appends queue while it waits for the disk, and then share one sync. */

export type ToWriter = { kind: 'append'; appends: Append[] } | { kind: 'close' };

export type FromWriter =
  | { kind: 'ready'; head: number }
  | { kind: 'refused'; damaged: boolean; message: string }
  | { kind: 'answers'; answers: Answer[]; head: number }
  | { kind: 'closed'; error: string | null };

export interface WriterData extends LogWriterOptions {
  check: boolean;
  maxGroup: number;
}

const port = parentPort;
if (!port) throw new Error('this module runs only in a worker thread');
const send = (message: FromWriter) => port.postMessage(message);
const data = workerData as WriterData;

try {
  if (data.check) {
    const { db } = openLog(data);
    checkLog(db);
    db.close();
  }
  serve(new LogWriter(data));
} catch (error) {
  const damaged = error instanceof CorruptLogError || isDamage(error);
  send({ kind: 'refused', damaged, message: (error as Error).message });
  port.close();
}

function serve(writer: LogWriter): void {
  send({ kind: 'ready', head: writer.head });
  port?.on('message', (first: ToWriter) => {
    let closing = first.kind === 'close';
    const gathered = first.kind === 'append' ? first.appends : [];
    while (!closing && gathered.length < data.maxGroup) {
      const waiting = port && (receiveMessageOnPort(port) as { message: ToWriter } | undefined);
      if (!waiting) break;
      if (waiting.message.kind === 'close') closing = true;
      else gathered.push(...waiting.message.appends);
    }
    for (let at = 0; at < gathered.length; at += data.maxGroup) {
      const answers = writer.write(gathered.slice(at, at + data.maxGroup));
      send({ kind: 'answers', answers, head: writer.head });
    }
    if (closing) end(writer);
  });
}

function end(writer: LogWriter): void {
  let error: string | null = null;
  try {
    writer.close();
  } catch (failure) {
    error = (failure as Error).message;
  }
  send({ kind: 'closed', error });
  port?.close();
}

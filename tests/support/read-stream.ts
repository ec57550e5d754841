import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Forgelog } from './forgelog.ts';

export type ReceivedEvent = CloudEvent & { data: Record<string, unknown> };

/** Reads the event stream up to the end that the log has now. */
export async function readStream({ url, rootToken, system }: Forgelog, query = ''): Promise<ReceivedEvent[]> {
  const head = await system.store.head();
  const hangUp = new AbortController();
  const answer = await fetch(`${url}/api/v4/event_stream${query}`, {
    headers: { 'PRIVATE-TOKEN': rootToken },
    signal: hangUp.signal,
  });
  const events: ReceivedEvent[] = [];
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) if (line.startsWith('data: {"spec')) events.push(JSON.parse(line.slice(6)));
    if (events.at(-1)?.position.endsWith(head)) break;
  }
  hangUp.abort();
  return events;
}

import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Forgelog } from './forgelog.ts';

export type ReceivedEvent = CloudEvent & { data: Record<string, unknown> };

export interface Frame {
  id?: string;
  event?: string;
  data?: string;
  comment?: string;
}

/** The frames of an open event stream, as they come. Hang up with `return`. */
export async function* framesOf(
  { url, rootToken }: Pick<Forgelog, 'url' | 'rootToken'>,
  query = '',
  options: { token?: string; path?: string; headers?: Record<string, string> } = {},
): AsyncGenerator<Frame> {
  const hangUp = new AbortController();
  const { token = rootToken, path = '/event_stream', headers } = options;
  const answer = await fetch(`${url}/api/v4${path}${query}`, {
    headers: { 'PRIVATE-TOKEN': token, ...headers },
    signal: hangUp.signal,
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  try {
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    hangUp.abort();
  }
}

function frameOf(block: string): Frame {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2));
  return Object.fromEntries(lines.map(([name, value]) => [name || 'comment', value]));
}

/** The events of a stream up to its mark that the reader has caught up, or to its end. */
export async function readStream(...asked: Parameters<typeof framesOf>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const { event, data } of framesOf(...asked)) {
    if (event === 'caught_up') break;
    if (data) events.push(JSON.parse(data));
  }
  return events;
}

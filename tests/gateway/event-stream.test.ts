import { createHash } from 'node:crypto';
import { emailStream } from '@forgelog/directory/name.decider.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaving, publishedPositions } from '../support/consumed-feed.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

interface Received {
  id: string;
  type: string;
  data: { position: string; type: string; subject: string; data: Record<string, unknown> };
}

/** Reads events off the stream until `enough` of them came, then hangs up. */
async function receive(after: { query?: string; header?: string }, enough: number): Promise<Received[]> {
  const hangUp = new AbortController();
  const query = after.query === undefined ? '' : `?after=${after.query}`;
  const response = await fetch(`${forgelog.url}/api/v4/event_stream${query}`, {
    headers: {
      'PRIVATE-TOKEN': forgelog.rootToken,
      ...(after.header === undefined ? {} : { 'Last-Event-ID': after.header }),
    },
    signal: hangUp.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const received: Received[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.data && fields.event !== 'caught_up')
        received.push({ id: fields.id, type: fields.event, data: JSON.parse(fields.data) });
    }
    if (received.length >= enough) break;
  }
  hangUp.abort();
  return received;
}

/** Positions of what leaves the system. */
async function published(): Promise<string[]> {
  const events = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  return publishedPositions(forgelog.system.store, leaving(events));
}

function claim(at: number) {
  return forgelog.system.ports.commands.append(
    `route-0/name${at}`,
    'no-stream',
    [{ type: 'NameClaimed', data: { holder: 'group', holderId: at } }],
    SYSTEM_METADATA,
  );
}

test('sends the whole log, then new events, and resumes after a reconnect without gap or repeat', async () => {
  for (let at = 0; at < 5; at += 1) await claim(at);
  const written = await published();
  const first = await receive({}, 4);
  const seen = first.map(({ id }) => id);
  const follows = receive({ header: seen.at(-1)! }, written.length - seen.length + 5);
  for (let at = 5; at < 10; at += 1) await claim(at);
  seen.push(...(await follows).map(({ id }) => id));
  const log = await published();
  expect(seen).toEqual(log);
  expect((await receive({ query: written.at(-1)! }, 1))[0]!.id).toBe(log[written.length]);
});

test('omits hashes of secrets', async () => {
  const events = await receive({}, 4);
  const token = events.find(({ type }) => type === 'PersonalAccessTokenCreated')!;
  expect(token.data.data).toMatchObject({ userId: 1, name: 'ROOT_TOKEN' });
  expect(token.data.data).not.toHaveProperty('tokenSha256');
  expect(events.find(({ type }) => type === 'UserCreated')!.data.data).not.toHaveProperty('passwordHash');
});

test('names streams after hashes that nobody can try addresses against', async () => {
  const all = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  const email = all.find(({ type }) => type === 'UserCreated')!.data as { email: string };
  const stream = emailStream(email.email);
  const claims = all.filter((event) => event.stream === stream);
  expect(claims).toHaveLength(1);
  const sent = await receive({}, (await published()).length);
  const subjects = sent
    .filter(({ data }) => data.subject.startsWith('email-'))
    .map(({ data }) => data.subject);
  expect(subjects).toEqual([expect.stringMatching(/^email-[0-9a-f]{64}$/)]);
  expect(JSON.stringify(sent)).not.toContain(createHash('sha256').update(email.email).digest('hex'));
  expect(JSON.stringify(sent)).not.toContain(stream);
});

test('reserved ids, which mean nothing outside, are not sent', async () => {
  const all = await forgelog.system.store.readAll({ after: '', limit: 1000 });
  expect(all.filter(({ type }) => type === 'IdsReserved')).not.toEqual([]);
  const sent = await receive({}, (await published()).length);
  expect(sent.map(({ type }) => type)).not.toContain('IdsReserved');
});

const refusalOf = async (query: string, headers: Record<string, string> = {}) => {
  const { status, body } = await forgelog.get(`/event_stream${query}`, { headers });
  return { status, text: JSON.stringify(body) };
};

test('is for administrators', async () => {
  expect((await forgelog.get('/event_stream', { token: null })).status).toBe(401);
});

test.each(['zzz', '-1', '9'.repeat(40), '%27%20or%201', '1', '%00', '9'.repeat(5000), '0x10'])(
  'a position in no form of the log is refused: %s',
  async (after) => {
    const { status, text } = await refusalOf(`?after=${after}`);
    expect(status).toBe(400);
    expect(text).toMatch(/after is .*(no position: send the `position`|invalid|too long)/);
    const begins = { 'Last-Event-ID': after.slice(0, 200) };
    expect(await refusalOf('', begins)).toMatchObject({ status: 400 });
  },
);

test('a position that the log has not reached is a conflict', async () => {
  const head = await forgelog.system.store.head();
  const { status, text } = await refusalOf(`?after=09${head.slice(2)}`);
  expect(status).toBe(409);
  expect(text).toContain('beyond the end of this log');
});

test('a parameter that is not understood is refused by name', async () => {
  const { status, text } = await refusalOf('?type=IssueOpened&aftr=1');
  expect(status).toBe(400);
  expect(text).toContain('type is not understood, aftr is not understood');
  expect((await refusalOf(`?${'x'.repeat(3000)}=1`)).text.length).toBeLessThan(200);
  const known = await forgelog.get('/version?unknown=1');
  expect(known.status).toBe(200);
});

test('an open stream does not delay a stop', async () => {
  const other = await startForgelog();
  const response = await fetch(`${other.url}/api/v4/event_stream`, {
    headers: { 'PRIVATE-TOKEN': other.rootToken },
  });
  const reader = response.body!.getReader();
  await reader.read();
  await other.stop();
  await expect(fetch(`${other.url}/-/liveness`)).rejects.toThrow();
  await reader.cancel().catch(() => {});
});

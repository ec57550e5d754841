import { isPublished } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { CONTRACT_VERSION } from '@forgelog/contracts/released/current.ts';
import { releases } from '@forgelog/contracts/released/releases.ts';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { readStream } from '../support/read-stream.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const anonymous = { token: null };

test('the schema of every published event is at its address, for everybody', async () => {
  const leaving = events.filter(isPublished);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const { type, version } of leaving) {
    const path = `/event_schemas/${type}/${version}`;
    const { status, body } = await forgelog.get(path, anonymous);
    expect([type, status]).toEqual([type, 200]);
    expect(body).toMatchObject({ $id: `${forgelog.system.externalUrl}/api/v4${path}`, title: `${type}Data` });
    ajv.compile(body);
  }
  const { body: all } = await forgelog.get('/event_schemas', anonymous);
  expect(all.oneOf).toHaveLength(leaving.length);
});

test.each(['NoSuchEvent/1', 'IssueOpened/99', 'IdsReserved/1', 'IssueOpened/0', 'constructor/1'])(
  'what has no schema is not found, or refused: %s',
  async (path) => {
    expect((await forgelog.get(`/event_schemas/${path}`, anonymous)).status).toBeOneOf([400, 404]);
  },
);

test('an event names the address of the schema of its data, and keeps it', async () => {
  const sent = await readStream(forgelog);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const event of sent) {
    const schema = (await (await fetch(event.dataschema)).json()) as Record<string, unknown>;
    expect(schema.$id).toBe(event.dataschema);
    const valid = ajv.validate({ ...schema, $id: undefined }, event.data);
    expect([event.type, valid, ajv.errors]).toEqual([event.type, true, null]);
  }
});

test('the document has the version of the contract', async () => {
  const { body } = await forgelog.get('/asyncapi.json', anonymous);
  expect(body.info.version).toBe(CONTRACT_VERSION);
});

describe('a consumer that asks for the version that it knows', () => {
  const [first] = releases();
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const closed = (shape: unknown) =>
    ajv.compile(
      JSON.parse(JSON.stringify(shape), (_, value) =>
        value?.properties ? { ...value, additionalProperties: false } : value,
      ),
    );

  test('reads it, whatever came later', async () => {
    const { body: project } = await forgelog.post('/projects', { name: 'Known' });
    const { body: issue } = await forgelog.post(`/projects/${project.id}/issues`, { title: 'One' });
    await forgelog.put(`/projects/${project.id}/issues/${issue.iid}`, { title: 'Two' });
    await forgelog.post(`/projects/${project.id}/archive`);
    const { body: gone } = await forgelog.post('/projects', { name: 'Gone' });
    await forgelog.post(`/projects/${gone.id}/issues`, { title: 'Gone too' });
    await forgelog.delete(`/projects/${gone.id}`);
    await expect.poll(() => forgelog.system.projectors.policiesIdle()).toBe(true);
    await forgelog.post('/projects', { name: 'Last' });

    const [newest, known] = [
      await readStream(forgelog),
      await readStream(forgelog, `?contract=${first!.version}`),
    ];
    const types = first!.types;
    expect(known.map(({ id }) => id)).toEqual(newest.filter(({ type }) => type in types).map(({ id }) => id));
    expect(newest.filter(({ type }) => !(type in types))).not.toEqual([]);
    const envelope = closed(first!.envelope);
    for (const { data, ...attributes } of known) {
      const { type, schemaversion, dataschema } = attributes;
      expect([type, schemaversion]).toEqual([type, types[type]!.version]);
      expect(dataschema ?? `/${type}/${schemaversion}`).toMatch(new RegExp(`/${type}/${schemaversion}$`));
      expect([type, envelope(attributes), envelope.errors]).toEqual([type, true, null]);
      const shape = closed(types[type]!.shape);
      expect([type, shape(data), shape.errors]).toEqual([type, true, null]);
    }
    const page = await forgelog.get(`/event_stream?contract=${first!.version}`, {
      headers: { Accept: 'application/x-ndjson' },
    });
    expect(
      page.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(known);
    const updated = known.find(({ type }) => type === 'IssueUpdated')!;
    expect(updated).toMatchObject({ schemaversion: 1, data: { changes: { title: 'Two' } } });
    expect(updated.data).not.toHaveProperty('previous');
  });

  test('finds the schemas of its version', async () => {
    const { status, body } = await forgelog.get('/event_schemas/IssueUpdated/1', anonymous);
    expect(status).toBe(200);
    expect(body.$id).toMatch(/\/event_schemas\/IssueUpdated\/1$/);
    expect(body.properties).not.toHaveProperty('previous');
  });

  test('reads the newest by its name too', async () => {
    expect(await readStream(forgelog, `?contract=${CONTRACT_VERSION}`)).toEqual(await readStream(forgelog));
  });

  test.each(['0.1', '99.0', 'x', '1', '__proto__'])('is told which there are: %s', async (version) => {
    const { status, body } = await forgelog.get(`/event_stream?contract=${version}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`is no version of the contract, which are ${first!.version}, `);
  });
});

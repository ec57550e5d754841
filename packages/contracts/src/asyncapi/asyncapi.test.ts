import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { events } from '../events.ts';
import { IdsReserved } from '../shared/id.events.ts';
import { feedServices, printAsyncApi } from './asyncapi.ts';

type Document = ReturnType<typeof JSON.parse>;
const print = (definitions: Parameters<typeof printAsyncApi>[0]): Document =>
  JSON.parse(JSON.stringify(printAsyncApi(definitions, '1.0.0')));

test('the document conforms to the AsyncAPI schema', () => {
  // The schema includes the meta-schema for its own schemas.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const valid = ajv.compile(specs.schemas['3.0.0']);
  const document = print(events);
  expect([valid(document), valid.errors]).toEqual([true, null]);
  document.channels.admin.messages = [];
  expect(valid(document)).toBe(false);
});

test('every reference resolves', () => {
  const document = print(events);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(2 * events.length);
  const dangling = references.filter(
    (path) => path.split('/').reduce<Document>((at, name) => at?.[name], document) === undefined,
  );
  expect(dangling).toEqual([]);
});

test('every event type is a message of exactly its service', () => {
  const { channels, components } = print(events);
  const leaving = events.filter(({ type }) => type !== IdsReserved.type);
  for (const service of feedServices(events)) {
    const own = leaving.filter((event) => event.service === service).map(({ type }) => type);
    expect(Object.keys(channels[service].messages).sort()).toEqual(own.sort());
    expect(channels[service].address).toBe(`forgelog.${service}`);
  }
  expect(Object.keys(components.messages).sort()).toEqual(leaving.map(({ type }) => type).sort());
  expect(channels).not.toHaveProperty('eventing');
});

test('withheld fields appear nowhere in the document', () => {
  const withheld = new Set(events.flatMap((event) => event.withheld));
  expect(withheld.size).toBeGreaterThan(0);
  const text = JSON.stringify(print(events));
  for (const name of withheld) expect(text).not.toContain(`"${name}"`);
});

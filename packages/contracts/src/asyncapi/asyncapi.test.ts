import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GROUP_SETTING_DEFAULTS, groupSettings } from '../admin/groups/group.events.ts';
import { USER_PROFILE_DEFAULTS, userProfile } from '../admin/users/user.events.ts';
import { isInLog, isPublished } from '../event.ts';
import { subjectProblem } from '../event-subject.ts';
import { events } from '../events.ts';
import { PROJECT_SETTING_DEFAULTS, projectSettings } from '../repo/projects/project-settings.fields.ts';
import { feedServices, printAsyncApi } from './asyncapi.ts';

type Document = ReturnType<typeof JSON.parse>;
const print = (definitions: Parameters<typeof printAsyncApi>[0]): Document =>
  JSON.parse(
    JSON.stringify(printAsyncApi(definitions, { version: '1.0', externalUrl: 'https://forgelog.example' })),
  );

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
  const leaving = events.filter(isPublished);
  for (const service of feedServices(events)) {
    const own = leaving.filter((event) => event.service === service).map(({ type }) => type);
    expect(Object.keys(channels[service].messages).sort()).toEqual(own.sort());
    expect(channels[service].address).toBe(`forgelog.${service}`);
  }
  expect(Object.keys(components.messages).sort()).toEqual(leaving.map(({ type }) => type).sort());
  expect(channels).not.toHaveProperty('eventing');
});

/** Paths of the properties below a schema that lack a sentence. */
function undescribed(schema: Document, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries<Document>(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(/^[A-Z`].*\.$/.test(property.description ?? '') ? [] : [`${at}.${name}`]),
    ...undescribed(property, `${at}.${name}`),
  ]);
  const parts = [schema.items, ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => schema[key] ?? [])];
  return [...own, ...parts.flatMap((part) => undescribed(part, at))];
}

test('every event and every field of it is described by a sentence', () => {
  const { components } = print(events);
  const missing = Object.entries<Document>(components.messages).flatMap(([type, { summary, payload }]) => [
    ...(/^[A-Z].*\.$/.test(summary) ? [] : [type]),
    ...undescribed(components.schemas[payload.$ref.split('/').at(-1)], type),
  ]);
  expect(missing, 'give the field .describe(…), last in its chain').toEqual([]);
  expect(undescribed(components.schemas.Envelope)).toEqual([]);
  expect(
    undescribed({ properties: { a: { items: { properties: { b: { description: 'No sentence' } } } } } }),
  ).toEqual(['.a', '.a.b']);
});

test('withheld and internal fields have a sentence too', () => {
  const bare = events.flatMap(({ type, schema }) =>
    undescribed(z.toJSONSchema(schema, { unrepresentable: 'any' }), type),
  );
  expect(bare).toEqual([]);
});

test('a setting names its default, which conforms to it', () => {
  const { GroupCreated, ProjectCreated } = print(events).components.schemas;
  const settingsOf = ({ properties }: Document) => properties.data.properties.settings.properties;
  expect(settingsOf(ProjectCreated).squash_option).toMatchObject({ default: 'default_off' });
  expect(settingsOf(GroupCreated).two_factor_grace_period).toMatchObject({ default: 48 });
  for (const [settings, defaults] of [
    [projectSettings, PROJECT_SETTING_DEFAULTS],
    [groupSettings, GROUP_SETTING_DEFAULTS],
    [userProfile, USER_PROFILE_DEFAULTS],
  ] as const)
    expect(settings.parse(defaults)).toEqual(defaults);
});

test('every message has an example that conforms to it', () => {
  const document = print(events);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  for (const [type, { examples }] of Object.entries<Document>(document.components.messages)) {
    expect(examples, `run npm run examples: ${type} has none`).toHaveLength(1);
    const [{ payload }] = examples;
    const valid = ajv.compile({ $ref: `document#/components/messages/${type}/payload` });
    expect([type, valid(payload), valid.errors]).toEqual([type, true, null]);
    expect(valid({ ...payload, type: 'Other' })).toBe(false);
  }
});

test('a field of an example is one of its schema', () => {
  for (const { type, schema, example } of events.filter(isPublished))
    expect([type, schema.parse(example?.data)]).toEqual([type, example?.data]);
});

test('a subject has the form that its message says', () => {
  const { IssueOpened, NameForfeited } = print(events).components.schemas;
  const patternOf = ({ properties }: Document) => new RegExp(properties.subject.pattern);
  expect('issue-4-7').toMatch(patternOf(IssueOpened));
  expect('issues-4-7').not.toMatch(patternOf(IssueOpened));
  expect('group-4').toMatch(patternOf(NameForfeited));
  const opened = events.find(({ type }) => type === 'IssueOpened')!;
  const data = { projectId: 4, iid: 7 };
  expect(subjectProblem(opened, { subject: 'issue-4-7', data })).toBeNull();
  expect(subjectProblem(opened, { subject: 'issue-4-8', data })).toMatch(/is in the stream issue-4-8/);
});

test('what a deletion takes along is published in words and data', () => {
  const { ProjectDeleted, GroupMemberAdded } = print(events).components.messages;
  expect(ProjectDeleted['x-ends']).toContainEqual({
    kind: 'Issue',
    match: { projectId: 'projectId' },
    ofRecord: {},
    ofEvent: {},
    announcedBy: null,
    description:
      'Every Issue ends whose `projectId` is the event’s `projectId`. They get no events of their own.',
  });
  expect(GroupMemberAdded['x-begins']).toMatchObject([
    { kind: 'GroupMembership', id: ['groupId', 'userId'] },
  ]);
});

test('withheld fields appear nowhere in the document', () => {
  const withheld = new Set(events.flatMap((event) => event.withheld));
  expect(withheld.size).toBeGreaterThan(0);
  const text = JSON.stringify(print(events));
  for (const name of withheld) expect(text).not.toContain(`"${name}"`);
});

test('every event is on its topic of Kafka and in the stream over HTTP', () => {
  const { servers, channels, operations } = print(events);
  const leaving = events.filter(isInLog).map(({ type }) => type);
  expect(servers.http).toMatchObject({ host: 'forgelog.example', protocol: 'https', pathname: '/api/v4' });
  expect(channels.event_stream).toMatchObject({
    address: '/event_stream',
    servers: [{ $ref: '#/servers/http' }],
  });
  expect(Object.keys(channels.event_stream.messages).sort()).toEqual(leaving.sort());
  const access = Object.keys(channels.access.messages);
  expect(access).toContain('CredentialUsed');
  expect(Object.keys(channels.access_event_stream.messages)).toEqual(access);
  expect(operations['stream-access-events'].channel.$ref).toBe('#/channels/access_event_stream');
  expect(operations['stream-events'].bindings.http.query.properties).toMatchObject({
    after: { type: 'string' },
    contract: { type: 'string' },
  });
  expect(channels.tracker).toMatchObject({ servers: [{ $ref: '#/servers/kafka' }] });
});

test('objects and enumerations have names that differ', () => {
  const { schemas } = print(events).components;
  const titles = Object.values<Document>(schemas).flatMap(titlesIn);
  expect(titles).toContain('IssueUpdatedChanges');
  expect(titles).not.toContain(undefined);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

/** Titles of what generators of types make a type of. */
function titlesIn(schema: Document): (string | undefined)[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const parts = [...Object.values(schema.properties ?? {}), schema.items, ...(schema.anyOf ?? [])];
  const isNamed = schema.properties !== undefined || schema.enum !== undefined;
  return [...(isNamed ? [schema.title] : []), ...parts.flatMap(titlesIn)];
}

test('data that refers to itself is refused: generators of types do not end on it', () => {
  const [first] = events;
  const recursive = { ...first!, service: 'test', schema: z.object({ any: z.json() }) };
  expect(() => print([recursive])).toThrow(/its data refers to itself/);
});

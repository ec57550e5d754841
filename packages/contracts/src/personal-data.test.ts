import { expect, test } from 'vitest';
import { ENVELOPE } from './asyncapi/envelope.ts';
import { dataSchema, eventSchemas } from './asyncapi/event-schema.ts';
import { isPublished } from './event.ts';
import { events } from './events.ts';
import type { JsonSchema } from './params.ts';
import { PERSONAL, personalData } from './personal-data.ts';

/** Texts that people do not write freely, by the last name of their path. */
const IMPERSONAL: Readonly<Record<string, readonly string[]>> = {
  'ids, made by the system or from content': [
    ...['oldOid', 'newOid', 'pushId', 'discussionId', 'uploadId', 'attachmentId', 'epoch', 'after'],
    ...['mergeCommitSha', 'squashCommitSha', 'commitId', 'baseSha', 'startSha', 'headSha', 'lineCode'],
    ...[
      'sha',
      'noteableSha',
      'beforeSha',
      'sourceSha',
      'targetSha',
      'sha256',
      'logSha256',
      'definitions',
      'causeId',
    ],
    ...['fingerprint', 'keyIds', 'mergeId', 'requestId', 'eventId', 'eventIds', 'eventSubject', 'thread'],
    ...['authorizationId', 'clientId'],
    ...['fileSha256', 'fileSha1', 'fileMd5', 'relativePosition', 'epicPosition', 'parentPosition'],
  ],
  'days, times and time zones': [
    ...['firstAt', 'lastAt', 'releasedAt', 'day', 'usedAt', 'startsAt', 'endsAt'],
    ...[
      'lastSeenAt',
      'createdAt',
      'updatedAt',
      'claimedAt',
      'dueAt',
      'dueDate',
      'startDate',
      'expiresAt',
      'deletionDueAt',
    ],
    ...['freezeStart', 'freezeEnd', 'cron', 'cronTimezone', 'nextRunAt', 'autoStopAt', 'lastUsedAt'],
    ...['queuedAt', 'scheduledAt', 'startedAt', 'finishedAt', 'playedAt', 'erasedAt'],
  ],
  'words of the system or of its operators': [
    ...['ownerKind', 'place'],
    ...['storage', 'source', 'destination', 'errorMessage'],
    'provider',
    'when',
    'fileType',
    'endpoint',
    'emoji',
    ...['color', 'font', 'message_background_color', 'message_font_color'],
  ],
  'patterns and places of files': [
    ...['build_coverage_regex', 'name_regex', 'name_regex_delete', 'name_regex_keep'],
    ...['ci_config_path', 'external_authorization_classification_label', 'readmePath'],
  ],
};
const impersonal = Object.values(IMPERSONAL).flat();

/** Paths of texts that are neither marked, nor in something marked, nor one of a few words. */
function unmarkedTexts(schema: JsonSchema, path: string): string[] {
  if (schema[PERSONAL] === true) return [];
  const variants = [schema.anyOf, schema.items].flat().filter((variant) => variant !== undefined);
  const inside = variants.flatMap((variant) => unmarkedTexts(variant as JsonSchema, path));
  const fields = Object.entries(schema.properties ?? {});
  const below = fields.flatMap(([name, field]) => unmarkedTexts(field as JsonSchema, `${path}.${name}`));
  const isText = [schema.type].flat().includes('string') && !schema.enum && schema.const === undefined;
  return [...(isText ? [path] : []), ...inside, ...below];
}

const published = events.filter(isPublished);
const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1);

test('each text that people write is marked as personal data', () => {
  const unmarked = published.flatMap((event) => unmarkedTexts(dataSchema(event), event.type));
  const undecided = unmarked.filter((path) => !impersonal.includes(lastName(path)));
  expect(undecided, 'mark it by `personal(…)`, or say in this test why it is not').toEqual([]);
  const unused = impersonal.filter((name) => !unmarked.some((path) => lastName(path) === name));
  expect(unused).toEqual([]);
});

test('names in streams, and what the envelope tells of the client, are marked', () => {
  const schemas = eventSchemas(events, '') as Record<string, { properties: Record<string, JsonSchema> }>;
  const withNames = published.filter(({ type }) => schemas[type]!.properties.subject![PERSONAL]);
  const hasNames = published.filter(({ subject }) => subject.some((form) => /<(path|sha256)>/.test(form)));
  expect(withNames).toEqual(hasNames);
  expect(hasNames.length).toBeGreaterThan(0);
  const inEnvelope = Object.entries(ENVELOPE.properties as Record<string, JsonSchema>);
  expect(inEnvelope.filter(([, field]) => field[PERSONAL]).map(([name]) => name)).toEqual([
    'clientaddress',
    'useragent',
  ]);
});

test('paths of personal data name the outermost field, old values too', () => {
  const of = (type: string) => personalData(events.find((event) => event.type === type)!);
  expect(of('PersonalAccessTokenRevoked')).toEqual(['name']);
  expect(of('UserCreated')).toEqual(['username', 'name', 'email', 'identities.extern_uid', 'profile']);
  expect(of('PushReceived')).toEqual(['pushOptions', 'refs.ref', 'authors']);
  expect(of('EnvironmentUpdated')).toEqual([
    ...['changes.name', 'changes.externalUrl', 'previous.name', 'previous.externalUrl'],
  ]);
  expect(of('ProjectStarred')).toEqual([]);
});

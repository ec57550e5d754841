import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printAsyncApi } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { isInLog } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { lifetimes } from '@forgelog/contracts/lifetimes.ts';
import { expect, test } from 'vitest';
import { describeTables } from '../../packages/replica/src/table-document.ts';
import { eventVersions, recordTables } from '../../packages/replica/src/tables.ts';

const NOT_IN_TABLES = [
  'NameClaimed',
  'NameReleased',
  'NameForfeited',
  'RepositoryMeasured',
  'RunnersTokenReset',
  'FeatureFlagsClientReset',
];

test('the tables know every event of today in its version', () => {
  const published = events.filter(isInLog).filter(({ type }) => !type.endsWith('RecordsEnded'));
  const wanted = published.filter(({ type }) => !NOT_IN_TABLES.includes(type));
  expect(eventVersions, 'look at what changed, then raise the version in its file of tables').toEqual(
    Object.fromEntries(wanted.map(({ type, version }) => [type, version])),
  );
});

test('every kind of record has a table', () => {
  expect(recordTables.map(({ kind }) => kind).toSorted()).toEqual(
    lifetimes.map(({ kind }) => kind).toSorted(),
  );
});

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape.
type Message = Record<string, any>;

test('a column is filled by a field that the events of its kind have', () => {
  const document = JSON.parse(
    JSON.stringify(printAsyncApi(events, { version: '1.0', externalUrl: 'https://forgelog.example' })),
  );
  for (const { kind, columns } of recordTables) {
    const { messages, schemas } = document.components;
    const known = new Set(
      Object.entries<Message>(messages).flatMap(([type, message]) => {
        const { properties } = schemas[type].properties.data;
        const begun = (message['x-begins'] ?? []).filter((rule: { kind: string }) => rule.kind === kind);
        const changed = (message['x-changes'] ?? []).some((rule: { kind: string }) => rule.kind === kind);
        return [
          ...begun.flatMap((rule: { fields: object; fixed: object }) => [
            ...[properties, rule.fields, rule.fixed].flatMap(Object.keys),
          ]),
          ...(changed ? Object.keys(properties.changes.properties) : []),
        ];
      }),
    );
    const fields = Object.values(columns).flatMap(({ field }) => (field === null ? [] : [field]));
    expect([kind, fields.filter((field) => !known.has(field))]).toEqual([kind, []]);
  }
});

test('tables.md is what the program prints', () => {
  const file = join(resolve(import.meta.dirname, '../..'), 'packages/replica/tables.md');
  expect(readFileSync(file, 'utf8'), 'npm run -s replica tables > packages/replica/tables.md').toBe(
    describeTables(),
  );
});

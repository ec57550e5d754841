import { createRequire } from 'node:module';
import { join } from 'node:path';
import { printAsyncApi } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { eventsDocument } from '@forgelog/contracts/asyncapi/event-schema.ts';
import { isPublished } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { compile as typesOf } from 'json-schema-to-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { expect, test } from 'vitest';
import { compile, generatedFolder } from './compiled.ts';

/* Types of events as consumers generate them from the documents of an instance, compiled. */

const address = 'https://forgelog.example';
const leaving = events.filter(isPublished);
const types = leaving.map(({ type }) => type);
// As it arrives over the wire, without what JSON does not have.
const printed = <T>(document: T): T => JSON.parse(JSON.stringify(document));

/** What a consumer writes, whatever the generator: fields have their names and types, and none is optional. */
const CONSUMER = `
import type { IssueOpened, IssueUpdated, ProjectCreated } from './events.ts';

export const subjectOf = (event: IssueOpened): string => event.subject;
export const titleOf = (event: IssueOpened): string => event.data.title;
export const changed = (event: IssueUpdated): string | undefined => event.data.changes.title;
export const levelOf = (event: ProjectCreated): string | undefined => event.data.settings.issues_access_level;
export const methodOf = (event: ProjectCreated): 'merge' | 'rebase_merge' | 'ff' | undefined =>
  event.data.settings.merge_method;
`;

const MISTAKES = `
import type { IssueOpened, ProjectCreated } from './events.ts';

export const wrong = (event: IssueOpened): number => event.data.title;
export const alsoWrong = (event: ProjectCreated): 'octopus' | undefined => event.data.settings.merge_method;
`;

async function expectTypes(code: string): Promise<void> {
  for (const type of types) expect(code).toMatch(new RegExp(`\\b(interface|type) ${type}\\b`));
  expect(code).not.toMatch(/anonymous/i);
  const folder = await generatedFolder({
    'events.ts': code,
    'consumer.ts': CONSUMER,
    'mistakes.ts': MISTAKES,
  });
  expect(compile(folder, ['events.ts', 'consumer.ts', 'mistakes.ts'])).toEqual([
    expect.stringMatching(/mistakes.ts Type 'string' is not assignable to type 'number'/),
    expect.stringMatching(/mistakes.ts Type .* is not assignable to type '"octopus"/),
  ]);
}

// The compiler takes seconds, and longer on a busy machine.
const options = { timeout: 180_000 };

test('json-schema-to-typescript makes types of the schema of all events', options, async () => {
  const { $id: _, ...schema } = printed(eventsDocument(leaving, `${address}/api/v4/event_schemas`));
  const code = await typesOf(schema, 'ForgelogEvent', { bannerComment: '', additionalProperties: false });
  await expectTypes(code);
  expect(code).toMatch(/export type ForgelogEvent =\s+\| [A-Z]\w+\s+\| /);
});

test('quicktype makes types of every definition', options, async () => {
  const { oneOf: _, title: __, $id: ___, ...rest } = printed(eventsDocument(leaving, address));
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  for (const type of types)
    await input.addSource({ name: type, schema: JSON.stringify({ ...rest, $ref: `#/definitions/${type}` }) });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: 'typescript',
    rendererOptions: { 'just-types': 'true', 'prefer-unions': 'true' },
  });
  await expectTypes(lines.join('\n'));
});

/** Where `npm run test:real` has installed it. */
const modelina = process.env.MODELINA;

test.skipIf(modelina === undefined)(
  'modelina makes types of the AsyncAPI document, each with a name',
  options,
  async () => {
    const { TypeScriptGenerator } = createRequire(join(modelina!, 'package.json'))('@asyncapi/modelina');
    const generator = new TypeScriptGenerator({
      modelType: 'interface',
      enumType: 'union',
      rawPropertyNames: true,
    });
    const models: { result: string; modelName: string }[] = await generator.generate(
      printed(printAsyncApi(leaving, { version: '1.0', externalUrl: address })),
    );
    await expectTypes(models.map(({ result }) => `export ${result}`).join('\n'));
  },
);

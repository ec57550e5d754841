import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type EventDefinition, isPublished } from '@forgelog/contracts/event.ts';
import { subjectProblem } from '@forgelog/contracts/event-subject.ts';
import { events } from '@forgelog/contracts/events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { createCatalogue, type EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellAccess } from '../support/access-story.ts';
import { examplesOf } from '../support/event-examples.ts';
import { STORY_SETTINGS, tellStory } from '../support/event-story.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

/*
 * `npm run examples` writes them. Elsewhere ids come in blocks, so that only a single process with its usual stores has
 * the ids of the examples.
 */
const isUsual = process.env.TEST_PROCESSES === undefined && process.env.TEST_STORES === undefined;
const contracts = join(import.meta.dirname, '../../packages/contracts/src');

let forgelog: Forgelog;
let told: readonly RecordedEvent[];
const catalogue: EventCatalogue = createCatalogue(events, {
  externalUrl: 'https://forgelog.example',
  key: () => Buffer.from('the key of the examples'),
});
beforeAll(async () => {
  forgelog = await startForgelog({
    clock: () => new Date('2026-11-20T12:00:00.000Z'),
    environment: STORY_SETTINGS,
  });
  await tellStory(forgelog);
  told = [
    ...(await forgelog.system.store.readAll({ after: '', limit: 100_000 })),
    ...(await tellAccess(forgelog)),
  ];
});
afterAll(() => forgelog?.stop());

test('every event that leaves the system happens', () => {
  const types = new Set(told.map(({ type }) => type));
  const missing = events.filter((event) => isPublished(event) && !types.has(event.type));
  expect(
    missing.map(({ type }) => type),
    'let tests/support/event-story.ts do what causes it, then run npm run examples',
  ).toEqual([]);
});

test('every event is in a stream of a form that its contract says', () => {
  const problems = told.map(({ type, stream, data }) =>
    subjectProblem(catalogue.get(type), { subject: stream, data: data as Record<string, unknown> }),
  );
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});

test.skipIf(!isUsual).each(globSync('**/*.events.ts', { cwd: contracts }).sort())(
  'the examples of %s are what happens, see npm run examples',
  async (file) => {
    const exported: Partial<EventDefinition>[] = Object.values(await import(join(contracts, file)));
    const own = new Set(exported.map(({ type }) => type));
    const all = examplesOf(
      told.filter(({ type }) => own.has(type) && isPublished(catalogue.get(type))),
      catalogue,
    );
    if (Object.keys(all).length === 0) return;
    const sorted = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
    await expect(`${JSON.stringify(sorted, null, 2)}\n`).toMatchFileSnapshot(
      join(contracts, file.replace(/\.ts$/, '.examples.json')),
    );
  },
);

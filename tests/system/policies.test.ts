import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ActsAs } from '@forgelog/eventing/policy.ts';
import { assemble } from '@forgelog/infra/assembly.ts';
import { openMemoryStores } from '@forgelog/infra/embedded-stores.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { beforeAll, expect, test } from 'vitest';
import { STORY_SETTINGS, tellStory } from '../support/event-story.ts';
import { startForgelog } from '../support/forgelog.ts';

let policies: ReturnType<typeof assemble>['policies'];
let told: readonly RecordedEvent[];

beforeAll(async () => {
  const configuration = readConfiguration({ DATA_DIR: 'unused' });
  const { store, readStore } = await openMemoryStores(configuration);
  const log = createLogger({ LOG_LEVEL: 'silent' });
  policies = assemble({ store, readStore, configuration, log }).policies;
  const forgelog = await startForgelog({ environment: STORY_SETTINGS });
  try {
    await tellStory(forgelog);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
    told = await forgelog.system.store.readAll({ after: '', limit: 100_000 });
  } finally {
    await forgelog.stop();
  }
});

test('the guide says in whose name each policy acts', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/feed.md'), 'utf8');
  const rows = guide.matchAll(/^\| `([a-z-]+)` +\|([^|`]*)\|([^|`]*)\|$/gm);
  const wordsOf = (cell = '') => cell.match(/\w+/g) ?? [];
  const written = Object.fromEntries(
    [...rows].map(([, policy, actor, system]) => [
      policy,
      { actor: wordsOf(actor), system: wordsOf(system) },
    ]),
  );
  const declared = policies.map(({ name, actsAs }) => {
    const as = (who: ActsAs) =>
      Object.keys(actsAs)
        .filter((type) => actsAs[type] === who)
        .sort();
    return [name, { actor: as('actor'), system: as('system') }] as const;
  });
  expect(declared.length).toBeGreaterThan(10);
  expect(written, 'docs/feed.md has a row for each policy').toEqual(Object.fromEntries(declared));
});

/** What a call makes itself before it answers: the bot of a token. */
const MADE_BY_CALLS = new Set(['PersonalAccessTokenCreated']);

test('a consequence names the actor of its cause or nobody, as its policy says', () => {
  const byId = new Map(told.map((event) => [event.id, event]));
  const seen = { actor: 0, system: 0 };
  for (const { type, metadata } of told) {
    if (metadata.causationId === null) continue;
    const cause = byId.get(metadata.causationId)!;
    const ways = new Set<ActsAs>(policies.flatMap(({ actsAs }) => actsAs[cause.type] ?? []));
    if (MADE_BY_CALLS.has(cause.type)) ways.add('actor');
    const isOwn = metadata.actorId === null;
    expect([...ways], `${type} after ${cause.type}`).toContain(isOwn ? 'system' : 'actor');
    if (!isOwn) expect(metadata).toEqual({ ...cause.metadata, causationId: cause.id });
    seen[isOwn ? 'system' : 'actor'] += 1;
  }
  expect(seen.actor).toBeGreaterThan(0);
  expect(seen.system).toBeGreaterThan(0);
});

test('what the system measures and chooses names nobody, and what caused it', () => {
  const own = told.filter(
    ({ type, data }) =>
      type === 'RepositoryMeasured' ||
      (type === 'ProjectUpdated' && 'defaultBranch' in (data as { changes: object }).changes),
  );
  const types = new Set(own.map(({ type }) => type));
  expect([...types].sort()).toEqual(['ProjectUpdated', 'RepositoryMeasured']);
  const moves = new Map(told.filter(({ type }) => type === 'RefUpdated').map((event) => [event.id, event]));
  for (const { type, metadata } of own) {
    const cause = moves.get(metadata.causationId!);
    expect(metadata, type).toMatchObject({
      ...{ actorId: null, onBehalfBy: null, clientAddress: null },
      credential: { kind: 'system', id: null },
      initiator: { actorId: cause?.metadata.actorId },
    });
  }
});

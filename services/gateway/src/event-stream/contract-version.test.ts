import { events } from '@forgelog/contracts/events.ts';
import { CONTRACT_VERSION } from '@forgelog/contracts/released/current.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { BEGINNING, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { knownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { describe, expect, test } from 'vitest';
import { createContractVersions } from './contract-version.ts';
import { eventPage } from './event-page.ts';
import type { Reach } from './reach.ts';
import { WholeLog } from './whole-log.access.ts';

const reach = { frame: () => ({ id: '1', json: '{}' }) } as Partial<Reach> as Reach;
/** With a program that has no way back to the issues of the first release. */
const asContract = createContractVersions(
  createCatalogue(
    events.map((event) =>
      event.type === 'IssueUpdated' ? { ...event, downcast: { [event.version]: null } } : event,
    ),
  ),
);

test('a version that this program cannot serve is refused with the reason, every time', () => {
  for (let time = 0; time < 2; time++)
    expect(() => asContract('1.0', reach)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        details: {
          problems: [
            expect.stringMatching(
              /^contract "1\.0" cannot be served .*IssueUpdated has no way back to version 1/,
            ),
          ],
        },
      }),
    );
});

test('the newest version is served as it is', () => {
  expect(asContract(undefined, reach)).toBe(reach);
  expect(asContract(CONTRACT_VERSION, reach)).toBe(reach);
});

describe('events of kinds that came later', () => {
  const ids = (slug: string, integrationId: number) => ({ integrationId, projectId: 1, slug });
  const set = (name: string, value: string) => ({ properties: [{ name, value }] });
  const secrets = { sealedWebhook: null, sealedPassword: null };
  const life = (slug: string, id: number, name: string) => {
    const it = ids(slug, id);
    const [changes, previous] = [set(name, 'b'), set(name, 'a')];
    const disabled = [{ disabled: true }, { disabled: false }] as const;
    return [
      ['IntegrationCreated', 3, { ...it, ...previous, flagsOff: [], ...secrets }],
      ['IntegrationUpdated', 3, { ...it, changes, previous, withheldChanges: ['webhook', 'password'] }],
      ['IntegrationDisabled', 1, { ...it, failures: 10, changes: disabled[0], previous: disabled[1] }],
      ['IntegrationEnabled', 1, { ...it, changes: disabled[1], previous: disabled[0] }],
      ['IntegrationDeleted', 1, it],
    ] as const;
  };
  const known = life('external-wiki', 1, 'external_wiki_url');
  const later = life('jira', 2, 'api_url');
  const old = [
    'IntegrationCreated',
    1,
    { ...ids('slack', 3), ...set('channel', '#a'), flagsOff: [] },
  ] as const;
  const catalogue = createCatalogue(events);

  async function log(...all: readonly (readonly [type: string, version: number, data: object])[]) {
    const store = openMemoryEventStore();
    for (const [type, schemaVersion, data] of all) {
      const id = newEventId();
      const event = {
        id,
        type,
        schemaVersion,
        time: new Date(0).toISOString(),
        data,
        metadata: SYSTEM_METADATA,
      };
      await store.append(`log-${id}`, 'no-stream', [event]);
    }
    const whole = new WholeLog({ catalogue, renewedAt: async (subscriber) => subscriber }, {
      isAdmin: true,
    } as Principal);
    const ports = { store, identity: knownIdentity(store), clock: () => new Date(), heartbeatMs: 1 };
    const filter = {
      projectId: undefined,
      select: async <E>(some: E) => some,
      endsBefore: () => false,
      until: null,
    };
    const page = async (contract: string | undefined, after = BEGINNING, limit = 1000) => {
      const versioned = createContractVersions(catalogue)(contract, whole);
      const { text, ...rest } = await eventPage(ports, { after, filter, reach: versioned, limit });
      return {
        ...rest,
        told: text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      };
    };
    return { store, page };
  }

  test('are left out for who does not know them, and the others are whole', async () => {
    const { page } = await log(...later, ...known, ...later, old);
    const { told, hasCaughtUp } = await page('1.1');
    expect(hasCaughtUp).toBe(true);
    expect(told.map(({ type, data }) => [type, data.slug])).toEqual([
      ...known.map(([type]) => [type, 'external-wiki']),
      ['IntegrationCreated', 'slack'],
    ]);
    expect(told[0]).toMatchObject({
      schemaversion: 2,
      data: { ...set('external_wiki_url', 'a'), flagsOff: [] },
    });
    expect(told[1]).toMatchObject({
      schemaversion: 2,
      data: { changes: set('external_wiki_url', 'b'), withheldChanges: ['webhook'] },
    });
    expect(told[4].data).toEqual(known[4][2]);
    expect(told[5]).toMatchObject({ schemaversion: 2, data: old[2] });
    expect((await page(undefined)).told).toHaveLength(16);
    expect((await page(CONTRACT_VERSION)).told).toHaveLength(16);
    expect((await page('1.0')).told).toEqual([]);
  });

  test('take no place in a page, and its positions pass over them', async () => {
    const { page, store } = await log(...later, ...known, ...later);
    const found: unknown[] = [];
    let [next, hasCaughtUp, count] = [BEGINNING, false, 0];
    for (; !hasCaughtUp; count++) {
      const one = await page('1.1', next, 2);
      found.push(...one.told.map(({ type }) => type));
      expect(one.next > next).toBe(true);
      ({ next, hasCaughtUp } = one);
    }
    expect(found).toEqual(known.map(([type]) => type));
    expect(count).toBe(3);
    expect(next).toBe(await store.head());
  });
});

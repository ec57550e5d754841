import { events } from '@forgelog/contracts/events.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { differingCollections } from '@forgelog/eventing/rebuild.ts';
import { expect } from 'vitest';
import type { Forgelog } from './forgelog.ts';

/** The read models of a running server are what its log gives, byte for byte. */
export async function expectRebuiltAlike({ system }: Forgelog): Promise<void> {
  await expect.poll(() => system.projectors.policiesIdle()).toBe(true);
  const { store, ports, projections } = system;
  // Services that run apart have read models each: their tests are in tests/split.
  if (!projections) return;
  const catalogue = createCatalogue(events);
  const differing = await differingCollections({ store, readStore: ports.readStore, catalogue, projections });
  expect(differing).toEqual([]);
}

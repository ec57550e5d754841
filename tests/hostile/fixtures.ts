import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture, RightsRow } from './fixture.ts';

const folder = join(import.meta.dirname, 'fixtures');
const files = globSync('*/*.ts', { cwd: folder }).sort();

const fixtures = await Promise.all(
  files.map(async (file) => ((await import(join(folder, file))) as { default: Fixture }).default),
);

const byEndpoint = new Map<string, { fixture: Fixture; row: RightsRow }>();
for (const [index, fixture] of fixtures.entries())
  for (const [id, row] of Object.entries(fixture.rights)) {
    if (byEndpoint.has(id)) throw new Error(`${files[index]}: another fixture has a row for ${id} as well`);
    byEndpoint.set(id, { fixture, row });
  }

export const endpointsWithRights: readonly string[] = [...byEndpoint.keys()];

/** The fixture of the slice that an endpoint belongs to. @throws Error where there is none */
export function fixtureOf(endpointId: string): Fixture {
  const found = byEndpoint.get(endpointId);
  if (!found) throw new Error(`no file in tests/hostile/fixtures has a row for ${endpointId}`);
  return found.fixture;
}

export const rightsOf = (endpointId: string): RightsRow | undefined => byEndpoint.get(endpointId)?.row;

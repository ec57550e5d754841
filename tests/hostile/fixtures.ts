import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture, PathValue, ProjectContext, RightsRow } from './fixture.ts';

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

function found(endpointId: string) {
  const one = byEndpoint.get(endpointId);
  if (!one)
    throw new Error(
      `${endpointId}: say who may call it under rights, in the file of its slice in tests/hostile/fixtures`,
    );
  return one;
}

/** The fixture of the slice that an endpoint belongs to. @throws Error where there is none */
export const fixtureOf = (endpointId: string): Fixture => found(endpointId).fixture;

/** Who may call an endpoint. @throws Error where no fixture says so */
export const rightsOf = (endpointId: string): RightsRow => found(endpointId).row;

let counter = 0;
export const unique = (word: string): string => `${word}-${++counter}`;

/**
 * Makes a record of each kind that fixtures make in a project.
 * @param project `/projects/<id>`
 * @returns path parameter → what names the record
 */
export async function fillProject(
  project: string,
  post: ProjectContext['post'],
): Promise<Record<string, PathValue>> {
  const records: Record<string, PathValue> = {};
  for (const { inProject = {} } of fixtures)
    for (const [name, make] of Object.entries(inProject))
      records[name] = await make({ project, post, unique });
  return records;
}

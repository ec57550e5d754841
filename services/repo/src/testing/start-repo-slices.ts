import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPipelineOfCommit } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice, projectionOf, type Slice } from '@forgelog/service-kit/slice.ts';
import type { StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { type RunningSlices, startSlices } from '@forgelog/testing/start-slices.ts';
import { onTestFinished } from 'vitest';
import { createRepoPorts, type RepoPorts } from '../ports.ts';
import { ONE_STORAGE } from '../projects/storages.ts';
import { protectedBranchSlice } from '../protected-branches/protected-branch.slice.ts';
import { protectedTagSlice } from '../protected-tags/protected-tag.slice.ts';
import { pushRuleSlice } from '../push-rules/push-rule.slice.ts';
import { defaultBranches } from '../repository-storage/default-branch.policy.ts';

/** Contents by path; null deletes the file. */
type SampleFiles = Readonly<Record<string, string | null>>;

interface RunningRepoSlices extends RunningSlices {
  repo: RepoPorts;
  /** Commits files to a branch, which begins here or grows. Returns the commit's id. */
  commit(projectId: number, branch: string, files: SampleFiles, message?: string): Promise<string>;
}

/** Every move of a ref asks their read models. */
const RULES_OF_REFS = [protectedBranchSlice, protectedTagSlice, pushRuleSlice];

/** Stands in for the service of pipelines, which has none. */
const noPipelines = defineSlice<ServicePorts>({
  operations: [() => [implementOperation(findPipelineOfCommit, async () => ({ pipeline: null }))]],
});

/** Author of what `commit` makes. */
export const SAMPLE_AUTHOR = { name: 'Ann Author', email: 'ann@example.com' };

/**
 * Slices of this service on memory stores and a real git engine, whose folder ends with the test. Each given project
 * has an empty repository.
 */
export async function startRepoSlices(
  slices: readonly Slice<RepoPorts>[],
  given: readonly StreamedEvent[] = [],
  clock: () => Date = () => new Date(),
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningRepoSlices> {
  const folder = mkdtempSync(join(tmpdir(), 'forgelog-repo-slices-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let made: RepoPorts | undefined;
  const repoPorts = (ports: ServicePorts): RepoPorts => {
    const configuration = { ...ports.configuration, DATA_DIR: folder };
    made ??= createRepoPorts({ ...ports, configuration }, ONE_STORAGE);
    return made;
  };
  const rulesAlone = RULES_OF_REFS.filter((slice) => !slices.includes(slice)).map(({ projections }) =>
    defineSlice<RepoPorts>({ projections }),
  );
  const running = await startSlices(
    [
      noPipelines,
      ...[...slices, ...rulesAlone].map(({ routes, projections, operations }) =>
        defineSlice<ServicePorts>({
          routes: routes.map((route) => (ports) => route(repoPorts(ports))),
          projections: projections.map((projection) => (ports) => projectionOf(projection, repoPorts(ports))),
          operations: operations.map((operation) => (ports) => operation(repoPorts(ports))),
        }),
      ),
    ],
    given,
    { clock, environment },
  );
  const repo = repoPorts(running.ports);
  onTestFinished(() => repo.git.close());
  onTestFinished(() => repo.codeIndex.stop());
  const { repositories } = repo;
  // As the slice of repository storage does.
  repositories.open();
  repositories.onMoved(defaultBranches(repo).chooseFirst);
  for (const { event } of given)
    if (event.type === 'ProjectCreated')
      await repositories.create((event.data as { projectId: number }).projectId, 'main');

  return {
    ...running,
    repo,
    async commit(projectId, branch, files, message = 'Change files') {
      const repository = repositories.of(projectId);
      const ref = `refs/heads/${branch}`;
      const tip = await repository.readRef(ref);
      const actions = await Promise.all(
        Object.entries(files).map(async ([path, content]) => {
          if (content === null) return { action: 'delete' as const, path };
          const isThere = tip && (await repository.entry(tip, path));
          return {
            action: isThere ? ('update' as const) : ('create' as const),
            path,
            content: Buffer.from(content),
          };
        }),
      );
      const author = { ...SAMPLE_AUTHOR, date: clock() };
      const { oid } = await repository.buildCommit({ parents: tip ? [tip] : [], actions, author, message });
      const update = { ref, oldOid: tip ?? ZERO_OID, newOid: oid };
      await repositories.moveRefs(projectId, [update], SYSTEM_METADATA, 'api');
      return oid;
    },
  };
}

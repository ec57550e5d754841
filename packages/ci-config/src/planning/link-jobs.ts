import type { Configuration, JobDefinition } from '../configuration.ts';
import type { PlannedJob, PlannedNeed } from '../pipeline.ts';
import type { Problems } from '../problem.ts';

/** Resolves `needs` and `dependencies` to jobs of this pipeline. The name of a parallel job means all its copies. */
export function linkJobs(
  planned: readonly PlannedJob[],
  definitions: Configuration['jobs'],
  problems: Problems,
): PlannedJob[] {
  const byName = new Map<string, string[]>();
  for (const { name, baseName } of planned) {
    const copies = byName.get(baseName);
    if (copies) copies.push(name);
    else byName.set(baseName, [name]);
    if (name !== baseName) byName.set(name, [name]);
  }
  return planned.map((job) => {
    const definition = definitions.get(job.baseName)!;
    return {
      ...job,
      needs: linkedNeeds(job, definition, byName, problems),
      // A job that is not in this pipeline has no artifacts to fetch.
      dependencies: job.dependencies && [
        ...new Set(job.dependencies.flatMap((name) => byName.get(name) ?? [])),
      ],
    };
  });
}

function linkedNeeds(
  { name }: PlannedJob,
  { needs }: JobDefinition,
  byName: ReadonlyMap<string, readonly string[]>,
  problems: Problems,
): PlannedNeed[] | null {
  if (!needs) return null;
  const beyond: PlannedNeed[] = [];
  const jobs = new Map<string, Extract<PlannedNeed, { kind: 'job' }>>();
  for (const { place, ...need } of needs) {
    if (need.kind !== 'job') {
      beyond.push(need);
      continue;
    }
    const { job, artifacts, optional } = need;
    const copies = byName.get(job) ?? [];
    if (copies.length === 0 && !optional)
      problems.error(place, missingNeed(name, job), { job: name, keyword: 'needs' });
    for (const copy of copies) {
      // A job may be named twice, as itself and among all copies; it is needed once.
      const other = jobs.get(copy);
      jobs.set(copy, {
        kind: 'job',
        job: copy,
        artifacts: artifacts || other?.artifacts === true,
        optional: optional && other?.optional !== false,
      });
    }
  }
  return [...jobs.values(), ...beyond];
}

const missingNeed = (name: string, job: string) =>
  `'${name}' job needs '${job}' job, but '${job}' does not exist in the pipeline. ` +
  'This might be because of the only, except, or rules keywords. ' +
  'To need a job that sometimes does not exist in the pipeline, use needs:optional.';

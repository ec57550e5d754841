import type { ObjectKey } from '@forgelog/object-store/object-store.ts';

/* Keys name their owners first, and end in the digest. Two owners never share an object (ADR 47). */

interface PipelinePlace {
  projectId: number;
  pipelineId: number;
}

export interface JobPlace extends PipelinePlace {
  jobId: number;
}

export const projectObjects = (projectId: number): string => `projects/${projectId}/`;
export const pipelineObjects = ({ projectId, pipelineId }: PipelinePlace): string =>
  `${projectObjects(projectId)}${pipelineId}/`;
const jobObjects = (job: JobPlace) => `${pipelineObjects(job)}${job.jobId}`;

/** The log while the job runs, and all that begins so: its archived form too. */
export const growingLogKey = (job: JobPlace): ObjectKey => `${jobObjects(job)}.log`;
export const archivedLogKey = (job: JobPlace, sha256: string): ObjectKey => `${growingLogKey(job)}.${sha256}`;
export const newsKey = (job: JobPlace): ObjectKey => `${growingLogKey(job)}.news`;

export const artifactObjects = (job: JobPlace, fileType: string): string =>
  `${jobObjects(job)}.artifact.${fileType}.`;
export const artifactObject = (job: JobPlace, fileType: string, sha256: string): ObjectKey =>
  artifactObjects(job, fileType) + sha256;

/** Compiled jobs of a pipeline. */
export const definitionsKey = (pipeline: PipelinePlace, sha256: string): ObjectKey =>
  `${pipelineObjects(pipeline)}definitions.${sha256}`;

export type NamedObject = PipelinePlace &
  (
    | { kind: 'definitions'; sha256: string }
    | { kind: 'log'; jobId: number; sha256: string | null }
    | { kind: 'artifact'; jobId: number; fileType: string; sha256: string }
  );

const FORM =
  /^projects\/(\d+)\/(\d+)\/(?:definitions\.(\w+)|(\d+)\.log(?:\.(\w+))?|(\d+)\.artifact\.(\w+)\.(\w+))$/;

/** What a key stands for; undefined for one that no job or pipeline has. */
export function namedObject(key: ObjectKey): NamedObject | undefined {
  const [whole, project, pipeline, definitions, logOf, log, artifactOf, fileType = '', artifact = ''] =
    FORM.exec(key) ?? [];
  if (whole === undefined) return undefined;
  const place = { projectId: Number(project), pipelineId: Number(pipeline) };
  if (definitions !== undefined) return { ...place, kind: 'definitions', sha256: definitions };
  if (logOf !== undefined) return { ...place, kind: 'log', jobId: Number(logOf), sha256: log ?? null };
  return { ...place, kind: 'artifact', jobId: Number(artifactOf), fileType, sha256: artifact };
}

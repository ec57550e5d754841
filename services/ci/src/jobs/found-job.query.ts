import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type JobRow, jobs } from './jobs.collection.ts';

/** A job that a runner executes, in this project. @throws 404 */
export async function findJob(readStore: ReadStore, { project }: ProjectGrant, id: number): Promise<JobRow> {
  const job = await readStore.get(jobs, id);
  if (job?.projectId !== project.id || job.kind !== 'build') throw new Rejection('record_not_found');
  return job;
}

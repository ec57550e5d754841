import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { describeRef } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { projectCiSettings } from '../project-settings/project-settings.projection.ts';

/** Reporters see pipelines, and others where the project's pipelines are public. @throws 403 */
export async function requirePipelineReader(readStore: ReadStore, grant: ProjectGrant): Promise<void> {
  if (!(await isPipelineReader(readStore, grant))) throw new Rejection('forbidden', {});
}

export async function isPipelineReader(
  readStore: ReadStore,
  { level, project }: ProjectGrant,
): Promise<boolean> {
  return level >= AccessLevel.reporter || (await projectCiSettings(readStore, project.id)).publicBuilds;
}

interface OfRef {
  ref: string;
  refKind: string;
  projectId: number;
}

/** On a protected ref only those act who may push to it or merge into it. */
export async function mayRun(
  operations: Operations,
  { ref, refKind, projectId }: OfRef,
  principal: Principal,
): Promise<boolean> {
  if (refKind === 'merge_request') return true;
  const full = `refs/${refKind === 'tag' ? 'tags' : 'heads'}/${ref}`;
  const described = await operations.call(describeRef, { projectId, ref: full, sha: null }, { principal });
  // A ref that is gone is not protected by itself.
  return !('mayRun' in described) || described.mayRun;
}

export async function requireMayRun(operations: Operations, of: OfRef, principal: Principal): Promise<void> {
  if (!(await mayRun(operations, of, principal))) throw new Rejection('forbidden', {});
}

export const isOwn = ({ actorId }: { actorId: number | null }, { userId }: Principal): boolean =>
  actorId === userId;

import type { ProjectStarEvent } from '@forgelog/contracts/repo/projects/project-star.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { projectStars, projects } from './project.collection.ts';

/** Idempotent: the star itself is stored, not only the count. */
export async function countStar(
  documents: ProjectionDocuments,
  { type, time, data: { projectId, userId } }: Recorded<ProjectStarEvent>,
): Promise<void> {
  const key = `${projectId}-${userId}`;
  const wasThere = (await documents.get(projectStars, key)) !== undefined;
  const isThere = type === 'ProjectStarred';
  if (wasThere === isThere) return;
  if (isThere) documents.put(projectStars, { key, projectId, userId, starredAt: time });
  else documents.delete(projectStars, key);
  await addStars(documents, projectId, isThere ? 1 : -1);
}

/** Subtracts the stars of a deleted user. */
export async function uncountStars(documents: ProjectionDocuments, userId: number): Promise<void> {
  for (const { projectId } of await documents.findAll(projectStars, eq('userId', userId)))
    await addStars(documents, projectId, -1);
}

async function addStars(documents: ProjectionDocuments, projectId: number, more: number): Promise<void> {
  const project = await documents.get(projects, projectId);
  if (project) documents.put(projects, { ...project, starCount: project.starCount + more });
}

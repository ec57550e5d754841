import type { ProjectStarEvent } from '@forgelog/contracts/repo/project-star.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import { projectStars, projects } from './project.collections.ts';
import { withBodies } from './project-view.ts';

const MANY = 1_000_000;

/** Who starred is kept beside the count, so that counting twice changes nothing. */
export async function countStar(
  documents: ProjectionDocuments,
  { type, data: { projectId, userId } }: Recorded<ProjectStarEvent>,
): Promise<void> {
  const key = `${projectId}-${userId}`;
  const wasThere = (await documents.get(projectStars, key)) !== undefined;
  const isThere = type === 'ProjectStarred';
  if (wasThere === isThere) return;
  if (isThere) documents.put(projectStars, { key, projectId, userId });
  else documents.delete(projectStars, key);
  await addStars(documents, projectId, isThere ? 1 : -1);
}

/** Takes away the stars of a project or of a user that is gone. */
export async function forgetStars(documents: ProjectionDocuments, of: Condition): Promise<void> {
  for (const { key, projectId } of await documents.find(projectStars, { where: of, limit: MANY })) {
    documents.delete(projectStars, key);
    await addStars(documents, projectId!, -1);
  }
}

async function addStars(documents: ProjectionDocuments, projectId: number, more: number): Promise<void> {
  const project = await documents.get(projects, projectId);
  if (project) documents.put(projects, withBodies({ ...project, starCount: project.starCount! + more }));
}

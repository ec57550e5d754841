import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import type { Released } from './release-evidence.ts';

type Ports = Pick<RepoPorts, 'readStore' | 'repositories' | 'ids'>;

/** What evidence of a release is made of; null where the tag or the project is gone. */
export async function prepareEvidence(
  { readStore, repositories, ids }: Ports,
  projectId: ProjectSummary['id'],
  tagName: string,
): Promise<{ releaseEvidenceId: number; released: Released } | null> {
  const [project, tag] = await Promise.all([
    readStore.get(projects, projectId),
    repositories.of(projectId).tag(tagName),
  ]);
  if (!project || !tag) return null;
  const { id, name, description, createdAt } = project;
  return {
    releaseEvidenceId: await ids.next('releaseEvidence'),
    released: {
      tagOid: tag.oid,
      commitOid: tag.commitOid ?? null,
      project: { id, name, description, createdAt },
    },
  };
}

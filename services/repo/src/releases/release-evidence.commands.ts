import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import type { Released } from './release-evidence.ts';
import { milestonesById } from './release-milestones.query.ts';

type Ports = Pick<RepoPorts, 'readStore' | 'repositories' | 'ids' | 'operations'>;

/** What evidence of a release is made of; null where the tag or the project is gone. */
export async function prepareEvidence(
  { readStore, repositories, ids, operations }: Ports,
  projectId: ProjectSummary['id'],
  tagName: string,
  milestoneIds: readonly number[],
): Promise<{ releaseEvidenceId: number; released: Released } | null> {
  const [project, tag, milestones] = await Promise.all([
    readStore.get(projects, projectId),
    repositories.of(projectId).tag(tagName),
    milestonesById({ operations }, milestoneIds, null),
  ]);
  if (!project || !tag) return null;
  const { id, name, description, createdAt } = project;
  return {
    releaseEvidenceId: await ids.next('releaseEvidence'),
    released: {
      tagOid: tag.oid,
      commitOid: tag.commitOid ?? null,
      project: { id, name, description, createdAt },
      milestones: [...milestones.values()],
    },
  };
}

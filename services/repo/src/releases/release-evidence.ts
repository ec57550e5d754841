import { createHash } from 'node:crypto';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { ReleaseEvidenceCreated } from '@forgelog/contracts/repo/releases/release.events.ts';
import type { ReleaseLink } from './release-link.rules.ts';
import type { ReleaseMilestone } from './release-milestones.query.ts';

/** What evidence tells besides the release itself. */
export interface Released {
  /** What the tag points to, and the commit behind it; null for a tag of something else. */
  tagOid: string;
  commitOid: string | null;
  project: { id: number; name: string; description: string | null; createdAt: string };
  milestones: readonly EvidenceMilestone[];
}

type EvidenceMilestone = Pick<
  ReleaseMilestone,
  'id' | 'iid' | 'title' | 'description' | 'state' | 'created_at' | 'due_date'
>;

interface Release {
  name: string;
  description: string | null;
  releasedAt: string;
  links: readonly ReleaseLink[];
}

/** The snapshot is the very text that is served, so that its hash can be checked with `sha256sum`. */
export function evidenceOf(
  { releaseId, projectId, tagName }: { releaseId: number; projectId: number; tagName: string },
  { name, description, releasedAt, links }: Release,
  { releaseEvidenceId, released }: { releaseEvidenceId: number; released: Released },
): EventOf<typeof ReleaseEvidenceCreated> {
  const { project, tagOid, commitOid, milestones } = released;
  const snapshot = JSON.stringify({
    release: {
      id: releaseId,
      tag_name: tagName,
      tag_target: tagOid,
      commit_id: commitOid,
      name,
      description,
      released_at: releasedAt,
      milestones: milestones.map(({ id, iid, title, description, state, created_at, due_date }) => ({
        ...{ id, title, description, state, iid, created_at, due_date },
      })),
      links: links.map((link) => ({
        id: link.releaseLinkId,
        name: link.name,
        url: link.url,
        filepath: link.filepath,
        link_type: link.linkType,
      })),
      project: {
        id: project.id,
        name: project.name,
        description: project.description,
        created_at: project.createdAt,
      },
    },
  });
  const sha = createHash('sha256').update(snapshot).digest('hex');
  return {
    type: 'ReleaseEvidenceCreated',
    data: { releaseEvidenceId, releaseId, projectId, tagName, sha, snapshot },
  };
}

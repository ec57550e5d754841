import type { EventDefinition } from '@forgelog/contracts/event.ts';
import { ReleaseCreated } from '@forgelog/contracts/repo/releases/release.events.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RepoPorts } from '../ports.ts';
import { refLogDecider, refLogStream } from '../repository-storage/ref-log.decider.ts';
import type { MovedListener } from '../repository-storage/repositories.ts';
import { TAGS } from '../tags/tag-creation.commands.ts';
import { releaseDecider, releaseStream } from './release.decider.ts';
import { releaseQuery } from './release.query.ts';

const HANDLES = [RefUpdated, ReleaseCreated] as const satisfies readonly EventDefinition[];

/**
 * Deletes a release with its tag. The deletion of a tag does so before its answer; the policy covers kills, and a tag
 * that was deleted while it was released.
 */
export function releasesOfDeletedTags(
  ports: Pick<RepoPorts, 'commands' | 'readStore' | 'repositories' | 'host' | 'operations'>,
): { deleteReleases: MovedListener; policy: Policy } {
  const { commands } = ports;
  const query = releaseQuery(ports);

  async function isTag(projectId: number, tagName: string): Promise<boolean> {
    const { state } = await commands.load(refLogDecider, refLogStream(projectId));
    return state.refs.get(TAGS + tagName) !== undefined;
  }

  async function remove(projectId: number, tagName: string, releaseId: number, metadata: EventMetadata) {
    const command = { type: 'DeleteReleaseOfDeletedTag' as const, projectId, tagName, releaseId };
    await commands.handle(releaseDecider, releaseStream(projectId, tagName), command, metadata);
  }

  return {
    async deleteReleases(projectId, updates, metadataAfter) {
      for (const { ref, newOid } of updates) {
        if (newOid !== ZERO_OID || !ref.startsWith(TAGS)) continue;
        const tagName = ref.slice(TAGS.length);
        const release = await query.find(projectId, tagName);
        // A tag that is there again may have a release of its own: the policy tells them apart.
        if (release && !(await isTag(projectId, tagName)))
          await remove(projectId, tagName, release.id, metadataAfter(ref));
      }
    },
    policy: definePolicy({
      name: 'delete-releases-of-deleted-tags',
      handles: HANDLES,
      actsAs: { RefUpdated: 'actor', ReleaseCreated: 'system' },
      async react(event, { metadata }) {
        const { projectId } = event.data;
        if (event.type === 'ReleaseCreated') {
          const { tagName, releaseId } = event.data;
          if (!(await isTag(projectId, tagName))) await remove(projectId, tagName, releaseId, metadata);
          return;
        }
        const { ref, newOid } = event.data;
        if (newOid !== ZERO_OID || !ref.startsWith(TAGS)) return;
        const release = await query.find(projectId, ref.slice(TAGS.length));
        if (release && release.createdIn < event.position)
          await remove(projectId, release.tagName, release.id, metadata);
      },
    }),
  };
}

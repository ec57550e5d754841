import { and, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { releases } from './releases.collection.ts';

/** Returns undefined if the tag has no release. */
export type ReleaseOfTag = (
  projectId: number,
  tagName: string,
) => Promise<{ tag_name: string; description: string | null } | undefined>;

/** The release as a tag shows it. */
export function releaseOfTag({ readStore }: { readStore: ReadStore }): ReleaseOfTag {
  return async (projectId, tagName) => {
    const where = and(eq('projectId', projectId), eq('tagName', tagName));
    const select = ['description'] as const;
    const [found] = await readStore.find(releases, { where, limit: 1, select });
    return found && { tag_name: tagName, description: found.description };
  };
}

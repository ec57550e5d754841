import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { releases } from './releases.collection.ts';

interface ReleaseOfTag {
  tag_name: string;
  description: string | null;
}

/** The releases that tags have, by the names of the tags. */
export type ReleasesOfTags = (
  projectId: number,
  tagNames: readonly string[],
) => Promise<ReadonlyMap<string, ReleaseOfTag>>;

export function releasesOfTags({ readStore }: { readStore: ReadStore }): ReleasesOfTags {
  return async (projectId, tagNames) => {
    if (tagNames.length === 0) return new Map();
    const found = await readStore.find(releases, {
      where: and(eq('projectId', projectId), oneOf('tagName', tagNames)),
      limit: tagNames.length,
      select: ['tagName', 'description'],
    });
    return new Map(
      found.map(({ tagName, description }) => [tagName, { tag_name: tagName, description }] as const),
    );
  };
}

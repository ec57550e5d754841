import type { Repository } from '@forgelog/git/git.ts';
import type { DatedRef } from '@forgelog/git/refs/ref-age.ts';
import type { Ref } from '@forgelog/git/refs/ref-store.ts';
import { tagsByVersion, versionKey } from './version-order.ts';

/** What a list of tags can be ordered by. */
type By = 'name' | 'updated' | 'version';

/** A tag with what comes before its name in the order. */
export interface OrderedTag {
  name: string;
  key: number | string;
}

const PREFIX = 'refs/tags/';

/** By the refs that were put in order, which are the same array as long as none of them moves. */
const kept: Record<By, WeakMap<readonly Ref[], readonly OrderedTag[]>> = {
  name: new WeakMap(),
  updated: new WeakMap(),
  version: new WeakMap(),
};

/** Every tag: the first name, the oldest commit or the lowest version first. */
export async function tagsInOrder(repository: Repository, by: By): Promise<readonly OrderedTag[]> {
  const refs = by === 'updated' ? await repository.refsByAge(PREFIX) : await repository.listRefs(PREFIX);
  const known = kept[by].get(refs);
  if (known) return known;
  const tags = ordered(refs, by);
  kept[by].set(refs, tags);
  return tags;
}

function ordered(refs: readonly (Ref | DatedRef)[], by: By): OrderedTag[] {
  const tags = refs.map((one) => ({
    name: one.ref.slice(PREFIX.length),
    key: 'seconds' in one ? one.seconds : 0,
  }));
  if (by !== 'version') return tags;
  return tagsByVersion(tags).map(({ name }) => ({ name, key: versionKey(name) }));
}

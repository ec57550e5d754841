import type { Repository } from '@forgelog/git/git.ts';
import type { DatedRef } from '@forgelog/git/refs/ref-age.ts';
import type { Ref } from '@forgelog/git/refs/ref-store.ts';
import { tagsByVersion, versionKey } from './version-order.ts';

type By = 'name' | 'updated' | 'version';

/** A tag with its sort key before the name. */
export interface OrderedTag {
  name: string;
  key: number | string;
}

const PREFIX = 'refs/tags/';

/** Cached by the array of refs, which stays the same until a ref moves. */
const kept: Record<By, WeakMap<readonly Ref[], readonly OrderedTag[]>> = {
  name: new WeakMap(),
  updated: new WeakMap(),
  version: new WeakMap(),
};

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

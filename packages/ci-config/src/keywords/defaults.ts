import type { JobContents } from '../configuration.ts';
import type { MapNode } from '../document/node.ts';
import { DURATIONS } from '../duration.ts';
import { artifacts } from './artifacts.ts';
import { caches } from './cache.ts';
import { image, services } from './images.ts';
import type { Location } from './location.ts';
import { boolean, duration, part, readFields, texts } from './reader.ts';
import { NO_RETRY, retry } from './retry.ts';
import { script } from './scripts.ts';

const TIMEOUT = { seconds: DURATIONS.MONTH, name: '1 month' };

/** Keywords that `default` may have. */
export const INHERITABLE = {
  before_script: part(script),
  after_script: part(script),
  image: part(image),
  services: part(services),
  cache: part(caches),
  artifacts: part(artifacts),
  interruptible: part(boolean),
  timeout: part(duration(TIMEOUT)),
  retry: part(retry),
  tags: part(texts),
};

/** The same keywords at the root, as in older files. */
export const GLOBALS = ['before_script', 'after_script', 'image', 'services', 'cache'] as const;

export type Inherited = ReturnType<typeof readDefaults>;

export function readDefaults(root: MapNode, at: Location) {
  const globals = new Map(
    GLOBALS.flatMap((key) => {
      const entry = root.entries.get(key);
      return entry ? [[key, entry] as const] : [];
    }),
  );
  const ofRoot = readFields({ ...root, entries: globals }, at, INHERITABLE);
  const section = root.entries.get('default');
  if (section?.value.kind !== 'map') {
    if (section && !(section.value.kind === 'scalar' && section.value.value === null))
      at.part('default').error(section.value, 'should be a hash');
    return ofRoot;
  }
  const within = at.part('default');
  for (const key of GLOBALS)
    if (globals.has(key) && section.value.entries.has(key))
      within.error(
        section.value.entries.get(key)!.key,
        `has ${key}, which stands at the root too; one of them is enough`,
      );
  return { ...ofRoot, ...readFields(section.value, within, INHERITABLE) };
}

/** Fills in the values of missing keywords. */
export function inheritable(
  read: Inherited,
): Omit<
  JobContents,
  'stage' | 'script' | 'dependencies' | 'coverage' | 'resourceGroup' | 'release' | 'trigger'
> {
  return {
    beforeScript: read.before_script ?? [],
    afterScript: read.after_script ?? [],
    image: read.image ?? null,
    services: read.services ?? [],
    cache: read.cache ?? [],
    artifacts: read.artifacts ?? null,
    interruptible: read.interruptible ?? false,
    timeout: read.timeout ?? null,
    retry: read.retry ?? NO_RETRY,
    tags: read.tags ?? [],
  };
}

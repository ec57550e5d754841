import type { Cache } from '../configuration.ts';
import { CACHES } from '../limits.ts';
import { attribute, boolean, oneOf, part, type Reader, readFields, text, texts } from './reader.ts';

const MOST_FILES = 2;

const key: Reader<Cache['key']> = (node, at) => {
  // A number is a valid key.
  if (node.kind === 'scalar' && typeof node.value !== 'boolean')
    return keyText(node.source)
      ? node.source
      : at.error(node, 'cannot contain the "/" character, %2F, or be a dot');
  if (node.kind !== 'map') return at.error(node, 'should be a hash, a string or a symbol');
  const { files, prefix = null } = readFields(node, at, { files: part(texts), prefix: attribute(text) });
  if (!files)
    return node.entries.has('files') ? undefined : at.error(node, 'is missing required keys: files');
  if (files.length === 0 || files.length > MOST_FILES)
    return at.part('files').error(node, `should have from 1 to ${MOST_FILES} items`);
  return { files, prefix };
};

const keyText = (written: string) => !/\/|%2f/i.test(written) && !/^(?:\.|%2e)+$/i.test(written);

const cache: Reader<Cache> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const read = readFields(node, at, {
    key: part(key),
    untracked: part(boolean),
    paths: part(texts),
    policy: attribute(oneOf(['pull', 'push', 'pull-push'])),
    when: attribute(oneOf(['on_success', 'on_failure', 'always'])),
  });
  return {
    key: read.key ?? 'default',
    untracked: read.untracked ?? false,
    paths: read.paths ?? [],
    policy: read.policy ?? 'pull-push',
    when: read.when ?? 'on_success',
  };
};

/** One cache or several. An empty mapping or list overrides inherited caches. */
export const caches: Reader<Cache[]> = (node, at) => {
  if (node.kind === 'list') {
    if (node.items.length > CACHES) return at.error(node, `no more than ${CACHES} caches can be created`);
    return node.items.map((item) => cache(item, at.part('cache'))).filter((one) => one !== undefined);
  }
  const one = cache(node, at);
  if (!one || (node.kind === 'map' && node.entries.size === 0)) return [];
  return [one];
};

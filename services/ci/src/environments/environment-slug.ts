import { createHash } from 'node:crypto';

/** The longest label that every orchestrator accepts. */
const MAX_LENGTH = 24;
const KEPT = 17;

/**
 * Derives a name for URLs and labels: lower-case letters, digits and single dashes, at most 24 characters, with a
 * letter first and no dash last. If that loses information, six characters of the name's hash keep it distinct.
 */
export function environmentSlug(name: string): string {
  let slug = name.toLowerCase().replace(/[^a-z0-9]/g, '-');
  if (!/^[a-z]/.test(slug)) slug = `env-${slug}`;
  slug = slug.replace(/-+/g, '-');
  if (slug === name && slug.length <= MAX_LENGTH) return slug.replace(/-$/, '');
  const kept = slug.slice(0, KEPT);
  return `${kept}${kept.endsWith('-') ? '' : '-'}${hashOf(name)}`;
}

function hashOf(name: string): string {
  return BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
    .toString(36)
    .slice(-6);
}

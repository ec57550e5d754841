/**
 * Validates paths in a tree: `/`-separated, relative, UTF-8. Reading checks only the shape (`readablePath`), since a
 * push may contain any name. Writing refuses what is unsafe in a checkout (`isSafePath`): `.git` in any spelling of
 * NTFS or HFS+, backslashes, empty, `.` and `..` segments.
 */
import { InvalidNameError } from '../errors.ts';

const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;
/** Code points that HFS+ ignores in names, from git's utf8.c. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Trims and collapses slashes: `/a//b/` → `a/b`. The result is not yet safe. */
export function normalizePath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

/** Whether a file may be written to this path. */
export function isSafePath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  // A lone surrogate, or the replacement character for bytes that are not UTF-8.
  if (!path.isWellFormed() || path.includes('\ufffd')) return false;
  return path.split('/').every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  if (segment === '' || segment === '.' || segment === '..') return false;
  if (/[\x00\\]/.test(segment) || Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return false;
  return !isDotGit(segment);
}

/** Matches `.git` as some file system would: any case, trailing dots and spaces, streams, short names, HFS+. */
function isDotGit(segment: string): boolean {
  const visible = segment.replace(HFS_IGNORED, '').toLowerCase();
  const ntfs = visible.split(':', 1)[0]!.replace(/[. ]+$/, '');
  return visible === '.git' || ntfs === '.git' || ntfs === 'git~1';
}

/** Returns the normalised path. @throws InvalidNameError if it is unsafe */
export function assertSafePath(path: string): string {
  if (!isSafePath(path)) throw new InvalidNameError('path');
  return path;
}

/**
 * Splits a path to read; empty for the root, undefined if no tree can contain it. Trees have no `.` and `..`, so these
 * are refused and not resolved.
 */
export function readablePath(path: string): string[] | undefined {
  if (path.includes('\0') || Buffer.byteLength(path) > MAX_PATH_BYTES * 4) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.some((segment) => segment === '.' || segment === '..') ? undefined : segments;
}

/**
 * Paths inside a tree, as callers name them: `/`-separated, relative, UTF-8.
 *
 * Reading needs only the shape (`readablePath`): whatever a push brought in can be looked at. Writing refuses
 * what would harm a checkout on any system (`isSafePath`): `.git` in the spellings that NTFS and HFS+ take for
 * it, backslashes, empty, `.` and `..` segments.
 */
import { InvalidNameError } from '../errors.ts';

const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;
/** Code points that HFS+ ignores when it compares names (git's own list in utf8.c). */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The path without slashes at its ends and without doubled slashes: `/a//b/` → `a/b`. Not yet safe. */
export function normalizePath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

/** Whether a file may be written under this path. */
export function isSafePath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  // A lone surrogate, or the replacement character that stands for bytes that were no UTF-8.
  if (!path.isWellFormed() || path.includes('\ufffd')) return false;
  return path.split('/').every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  if (segment === '' || segment === '.' || segment === '..') return false;
  if (/[\x00\\]/.test(segment) || Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return false;
  return !isDotGit(segment);
}

/** `.git` as some file system would see it: any case, trailing dots and spaces, streams, short names, HFS. */
function isDotGit(segment: string): boolean {
  const visible = segment.replace(HFS_IGNORED, '').toLowerCase();
  const ntfs = visible.split(':', 1)[0]!.replace(/[. ]+$/, '');
  return visible === '.git' || ntfs === '.git' || ntfs === 'git~1';
}

/** The normalised path if a file may be written there, or InvalidNameError. */
export function assertSafePath(path: string): string {
  if (!isSafePath(path)) throw new InvalidNameError('path');
  return path;
}

/**
 * The segments of a path to read; empty for the root. Undefined if no tree can hold it. `.` and `..` are
 * refused rather than resolved: a tree has no such entries.
 */
export function readablePath(path: string): string[] | undefined {
  if (path.includes('\0') || Buffer.byteLength(path) > MAX_PATH_BYTES * 4) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.some((segment) => segment === '.' || segment === '..') ? undefined : segments;
}

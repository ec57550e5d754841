/**
 * Validates ref names without running git, by the rules of `git check-ref-format`. Creating is stricter than reading:
 * see `branchNameProblem`.
 */
import { InvalidNameError } from '../errors.ts';

/** Bytes of a full ref name. A component is a file name, and the whole a path under the repository. */
const MAX_REF_BYTES = 1024;
const MAX_COMPONENT_BYTES = 250;

/** Whether git accepts a full name such as `refs/heads/x`. */
export function isValidRefName(ref: string): boolean {
  if (!ref.startsWith('refs/') || Buffer.byteLength(ref) > MAX_REF_BYTES || !ref.isWellFormed()) return false;
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(ref) || ref.includes('..') || ref.includes('@{')) return false;
  if (ref.endsWith('.')) return false;
  return ref.split('/').every(isValidComponent);
}

function isValidComponent(component: string): boolean {
  return (
    component !== '' &&
    !component.startsWith('.') &&
    !component.endsWith('.lock') &&
    Buffer.byteLength(component) <= MAX_COMPONENT_BYTES
  );
}

/**
 * Returns why a branch or tag may not be created, as text for its author. Beyond git's rules it refuses a leading `-`
 * (an option of every command), `HEAD`, `@` and a leading `refs/` (ambiguous). It also refuses the replacement
 * character, which stands for bytes that are not UTF-8.
 */
export function branchNameProblem(name: string): string | undefined {
  if (isLikeObjectId(name)) return 'You cannot create a branch with a SHA-1 or SHA-256 branch name.';
  return isUnmistakable(name) && isValidRefName(`refs/heads/${name}`) ? undefined : 'Branch name is invalid';
}

export function tagNameProblem(name: string): string | undefined {
  if (isLikeObjectId(name)) return 'You cannot create a tag with a SHA-1 or SHA-256 tag name.';
  return isUnmistakable(name) && isValidRefName(`refs/tags/${name}`) ? undefined : 'Tag name invalid';
}

export function isValidBranchName(name: string): boolean {
  return branchNameProblem(name) === undefined;
}

/** Matches a SHA-1 or SHA-256 id with any suffix: `<id>/x` and `<id>-x` read like a path in a commit. */
export function isLikeObjectId(name: string): boolean {
  return /^[0-9a-f]{40}/i.test(name);
}

function isUnmistakable(name: string): boolean {
  return (
    name !== '' && name !== 'HEAD' && name !== '@' && !/^(-|refs\/)/.test(name) && !name.includes('\ufffd')
  );
}

/**
 * Returns why a ref may not be created: the rules above for branches and tags, git's for other namespaces. Check pushes
 * with it: git itself accepts `refs/heads/-x`.
 */
export function refNameProblem(ref: string): string | undefined {
  if (ref.startsWith('refs/heads/')) return branchNameProblem(ref.slice('refs/heads/'.length));
  if (ref.startsWith('refs/tags/')) return tagNameProblem(ref.slice('refs/tags/'.length));
  return isValidRefName(ref) && !ref.includes('\ufffd') ? undefined : 'The name is invalid';
}

/** Guards every ref on a command line or in a path. @throws InvalidNameError */
export function assertRefName(ref: string): string {
  if (!isValidRefName(ref)) throw new InvalidNameError('ref name');
  return ref;
}

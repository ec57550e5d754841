/**
 * Names of refs, checked here and never by handing them to git.
 *
 * The rules are those of `git check-ref-format`, and on top of them what makes names unsafe or ambiguous: see
 * `branchNameProblem`. Reading is as strict as git; creating is stricter.
 */
import { InvalidNameError } from '../errors.ts';

/** Longest full ref name: a component is a file name, and the whole a path under the repository. */
const MAX_REF_BYTES = 1024;
const MAX_COMPONENT_BYTES = 250;

/** Whether a full name such as `refs/heads/x` is one that git accepts. At least two components, `refs/` first. */
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
 * Why no branch or tag of this name may be created, in the words that its author reads; undefined where one may be.
 * Refused beyond git's own rules: a leading `-` (an option to every git command), `HEAD` and `@` (they mean something
 * else), a beginning of `refs/` (`refs/heads/x` as a branch would be `refs/heads/refs/heads/x`, which no reader can tell
 * from the full name of `x`), and the replacement character (bytes that were no UTF-8, so another name than the pushed).
 */
export function branchNameProblem(name: string): string | undefined {
  if (isLikeObjectId(name)) return 'You cannot create a branch with a SHA-1 or SHA-256 branch name.';
  return isUnmistakable(name) && isValidRefName(`refs/heads/${name}`) ? undefined : 'Branch name is invalid';
}

/** Tags follow the same rules. */
export function tagNameProblem(name: string): string | undefined {
  if (isLikeObjectId(name)) return 'You cannot create a tag with a SHA-1 or SHA-256 tag name.';
  return isUnmistakable(name) && isValidRefName(`refs/tags/${name}`) ? undefined : 'Tag name invalid';
}

export function isValidBranchName(name: string): boolean {
  return branchNameProblem(name) === undefined;
}

/** An object id of SHA-1 or SHA-256, and what goes on after one: `<id>/x` and `<id>-x` read like a path in a commit. */
export function isLikeObjectId(name: string): boolean {
  return /^[0-9a-f]{40}/i.test(name);
}

function isUnmistakable(name: string): boolean {
  return (
    name !== '' && name !== 'HEAD' && name !== '@' && !/^(-|refs\/)/.test(name) && !name.includes('\ufffd')
  );
}

/**
 * Why a pushed or written ref may not be created: refs/heads and refs/tags by the rules above, other namespaces by
 * git's. Give this to the pre-receive check: git itself lets `refs/heads/-x` through.
 */
export function refNameProblem(ref: string): string | undefined {
  if (ref.startsWith('refs/heads/')) return branchNameProblem(ref.slice('refs/heads/'.length));
  if (ref.startsWith('refs/tags/')) return tagNameProblem(ref.slice('refs/tags/'.length));
  return isValidRefName(ref) && !ref.includes('\ufffd') ? undefined : 'The name is invalid';
}

/** The name itself, or InvalidNameError. Every ref that is put on a command line or in a path passes here. */
export function assertRefName(ref: string): string {
  if (!isValidRefName(ref)) throw new InvalidNameError('ref name');
  return ref;
}

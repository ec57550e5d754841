/**
 * Names of refs, checked here and never by handing them to git.
 *
 * The rules are those of `git check-ref-format`, and on top of them what makes names unsafe or ambiguous: see
 * `isValidBranchName`. Reading is as strict as git; creating is stricter.
 */
import { InvalidNameError } from './git-errors.ts';

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
 * Whether a branch of this name may be created. Refused beyond git's own rules:
 * a leading `-` (an option to every git command), `HEAD` and `@` (they mean something else), 40 hexadecimal
 * digits (they mean an object), and anything that starts with `refs/` (`refs/heads/x` as a branch would be
 * `refs/heads/refs/heads/x`, which no reader can tell from the full name of `x`).
 */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-') || name.startsWith('refs/'))
    return false;
  if (/^[0-9a-fA-F]{40}$/.test(name)) return false;
  return isValidRefName(`refs/heads/${name}`);
}

/** Tags follow the same rule. */
export function isValidTagName(name: string): boolean {
  return isValidBranchName(name);
}

/**
 * Whether a pushed or written ref may be created: refs/heads and refs/tags by the rules above, other
 * namespaces by git's. Give this to the pre-receive check: git itself lets `refs/heads/-x` through.
 */
export function isCreatableRef(ref: string): boolean {
  if (ref.startsWith('refs/heads/')) return isValidBranchName(ref.slice('refs/heads/'.length));
  if (ref.startsWith('refs/tags/')) return isValidTagName(ref.slice('refs/tags/'.length));
  return isValidRefName(ref);
}

/** The name itself, or InvalidNameError. Every ref that is put on a command line or in a path passes here. */
export function assertRefName(ref: string): string {
  if (!isValidRefName(ref)) throw new InvalidNameError('ref name');
  return ref;
}

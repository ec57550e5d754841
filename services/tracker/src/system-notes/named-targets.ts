import { issueKey } from '../merge-requests/closing-pattern.ts';
import type { TargetRef } from '../targets/target-ref.ts';

const PATH = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}){1,20}';
/** `#1`, `!2`, `group/project#3`; not within a word, nor as an entity or an anchor. */
const NAMED = new RegExp(`(?<![\\w./&#!-])(${PATH})?([#!])(\\d{1,9})(?![\\w-])`, 'g');
/** What is quoted as code names nothing. */
const CODE = /^(```|~~~)[\s\S]*?^\1[^\S\n]*$|`[^`\n]{1,1000}`/gm;

/** Longer texts are looked at up to here, and up to so many. */
const MOST_TEXT = 100_000;
const MOST_NAMED = 100;

/** One text for an issue or merge request as texts name it: in a project by its id, or by its path in lower case. */
export const namedKey = (type: TargetRef['type'], project: string, iid: number): string =>
  issueKey(project, iid).replace('#', type === 'Issue' ? '#' : '!');

/** The keys of the issues and merge requests that a text in a project names, each once. */
export function namedIn(text: string, projectId: number): string[] {
  if (!/[#!]\d/.test(text)) return [];
  const keys = new Set<string>();
  for (const [, path, mark, iid] of text.slice(0, MOST_TEXT).replace(CODE, ' ').matchAll(NAMED)) {
    keys.add(namedKey(mark === '#' ? 'Issue' : 'MergeRequest', path ?? String(projectId), Number(iid)));
    if (keys.size === MOST_NAMED) break;
  }
  return [...keys];
}

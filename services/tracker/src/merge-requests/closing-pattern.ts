/** An issue that a text says it closes, as it is written: in a project by its full path, or in the same one. */
export interface IssueReference {
  /** null for the project that the text belongs to. */
  project: string | null;
  iid: number;
}

/** Begins in lower or upper case, for patterns whose other parts have one case. */
export const CLOSING_VERB =
  '[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?';
const PATH = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}){1,20}';
const ISSUE = `(?:${PATH})?#\\d{1,9}\\b`;
/** `Closes #1`, `fixes: #1, group/project#2 and #3` */
const CLOSING = new RegExp(
  `\\b(?:${CLOSING_VERB}):?[ \\t]{1,10}((?:issues? )?${ISSUE}(?:(?: ?,? and | ?, ?| )(?:issues? )?${ISSUE}){0,50})`,
  'gi',
);
const EACH = new RegExp(`(?:(?<![\\w./-])(${PATH}))?#(\\d{1,9})\\b`, 'g');

/** Longer texts are looked at up to here. */
const MOST_TEXT = 100_000;
const MOST_ISSUES = 100;

/** The issues that a text closes when it is merged, each once, in its order. */
export function closedBy(text: string): IssueReference[] {
  const found = new Map<string, IssueReference>();
  for (const [, issues] of text.slice(0, MOST_TEXT).matchAll(CLOSING))
    for (const reference of referencesIn(issues!)) found.set(keyOf(reference), reference);
  return [...found.values()].slice(0, MOST_ISSUES);
}

/** The issues that a text names in any way. */
export function referencesIn(text: string): IssueReference[] {
  const found = new Map<string, IssueReference>();
  for (const [, project = null, iid] of text.slice(0, MOST_TEXT).matchAll(EACH)) {
    const reference = { project, iid: Number(iid) };
    found.set(keyOf(reference), reference);
  }
  return [...found.values()].slice(0, MOST_ISSUES);
}

const keyOf = ({ project, iid }: IssueReference) => issueKey(project ?? '', iid);

/** One text for an issue as texts name it. @param project its full path, or its id */
export const issueKey = (project: string, iid: number): string => `${project.toLowerCase()}#${iid}`;

/** The keys of what a text in a project names. */
export const issueKeys = (references: readonly IssueReference[], projectId: number): string[] =>
  references.map(({ project, iid }) => issueKey(project ?? String(projectId), iid));

/** `Draft: x`, `[Draft] x`, `(Draft) x`, `WIP: x`, `[WIP] x`. */
const MARK = /^\s*(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)\s*/i;

/** Whether a title says that its merge request is not ready. */
export const isDraft = (title: string): boolean => MARK.test(title);

/** The title of the same as a draft. */
export const asDraft = (title: string): string => `Draft: ${title}`;

/** The title without all of its marks. */
export function withoutDraft(title: string): string {
  let rest = title;
  while (isDraft(rest)) rest = rest.replace(MARK, '');
  return rest;
}

/** `Draft: x`, `[Draft] x`, `(Draft) x`, `WIP: x`, `[WIP] x`. */
const MARK = /^\s*(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)\s*/i;

/** Whether a title says that its merge request is not ready. */
export const isDraft = (title: string): boolean => MARK.test(title);

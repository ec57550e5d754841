/** A label with the title that it has now. */
export interface LabelRef {
  id: number;
  title: string;
}

/** The labels of a target, as its events have them: ids, and the titles of that time. */
export interface GivenLabels {
  labelIds: readonly number[];
  labels: readonly string[];
}

/** What a command does to labels. */
export interface LabelWishes {
  /** All that it is to have; null keeps what it has. */
  set: readonly LabelRef[] | null;
  add: readonly LabelRef[];
  /** Ids. */
  remove: readonly number[];
  /** Labels that it had when it was read, by id, as they are now: null for one that is gone. */
  now: ReadonlyMap<number, LabelRef | null>;
  /** Whether of labels with the same scope, `key::`, the one that was given last takes the others away. */
  exclusive: boolean;
}

export const NO_WISHES: LabelWishes = { set: null, add: [], remove: [], now: new Map(), exclusive: true };

/** The labels after a command, each once, in the order of their assignment. */
export function labelsAfter(
  given: GivenLabels,
  wishes: LabelWishes,
): { labelIds: number[]; labels: string[] } {
  const { set, add, remove, now, exclusive } = wishes;
  const present = given.labelIds.map((id, at) => {
    const known = now.get(id);
    return known === undefined ? { id, title: given.labels[at]! } : known;
  });
  const wanted = [...(set ?? present.filter((label) => label !== null)), ...add];
  const kept = exclusive ? oneOfEachScope(wanted) : wanted;
  const byId = new Map(kept.filter(({ id }) => !remove.includes(id)).map((label) => [label.id, label]));
  const labelIds = [...byId.keys()];
  // Titles that changed meanwhile are no change of the target.
  if (JSON.stringify(labelIds) === JSON.stringify(given.labelIds))
    return { labelIds, labels: [...given.labels] };
  return { labelIds, labels: [...byId.values()].map(({ title }) => title) };
}

function oneOfEachScope(labels: readonly LabelRef[]): LabelRef[] {
  const last = new Map(labels.map(({ id, title }) => [scopeOf(title) ?? id, id]));
  return labels.filter(({ id, title }) => last.get(scopeOf(title) ?? id) === id);
}

/** `key` of `key::value`; the value may hold no further `::`. */
const scopeOf = (title: string): string | undefined => /^(.+)::(?:(?!::).)+$/s.exec(title)?.[1];

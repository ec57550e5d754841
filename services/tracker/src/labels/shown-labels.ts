import { oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { descriptionHtml } from './label.view.ts';
import { textColorOn } from './label-color.ts';
import { endedLabels, type LabelRow, labels } from './labels.projection.ts';

export interface Labelled {
  labelIds: readonly number[] | null;
}

/** How answers show the labels of a page of targets. */
export interface ShownLabels {
  byId: ReadonlyMap<number, LabelRow>;
  /** As objects, for `with_labels_details=true` [L66]. */
  detailed: boolean;
}

/**
 * The labels of these targets by id, as they are now: null for one that was deleted. A label that took the place of
 * another is there by both ids.
 */
export async function labelsOf(
  readStore: Pick<ReadStore, 'find'>,
  targets: readonly Labelled[],
): Promise<ReadonlyMap<number, LabelRow | null>> {
  const ids = [...new Set(targets.flatMap(({ labelIds }) => labelIds ?? []))];
  const found = new Map<number, LabelRow | null>(await rowsById(readStore, ids));
  const gone = ids.filter((id) => !found.has(id));
  if (gone.length === 0) return found;
  const ended = await readStore.find(endedLabels, { where: oneOf('id', gone), limit: gone.length });
  const heirs = await rowsById(
    readStore,
    ended.flatMap(({ replacedById }) => replacedById ?? []),
  );
  for (const { id, replacedById } of ended) found.set(id, heirs.get(replacedById ?? 0) ?? null);
  return found;
}

async function rowsById(readStore: Pick<ReadStore, 'find'>, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, LabelRow>();
  const rows = await readStore.find(labels, { where: oneOf('id', ids), limit: ids.length });
  return new Map(rows.map((row) => [row.id, row]));
}

/** For views of these targets. */
export async function shownLabels(
  readStore: Pick<ReadStore, 'find'>,
  targets: readonly Labelled[],
  { detailed = false } = {},
): Promise<{ labels: ShownLabels }> {
  const found = await labelsOf(readStore, targets);
  const byId = new Map([...found].filter((entry): entry is [number, LabelRow] => entry[1] !== null));
  return { labels: { byId, detailed } };
}

/** The labels of one target: titles or objects. */
export function labelsIn(labelIds: readonly number[], { labels }: { labels: ShownLabels }) {
  return labels.detailed ? rowsIn(labelIds, labels).map(detailsOf) : titlesIn(labelIds, { labels });
}

export const titlesIn = (labelIds: readonly number[], { labels }: { labels: ShownLabels }): string[] =>
  rowsIn(labelIds, labels).map(({ title }) => title);

/** Each once: two may have been replaced by the same. */
const rowsIn = (labelIds: readonly number[], { byId }: ShownLabels): LabelRow[] =>
  [...new Set(labelIds.map((id) => byId.get(id)))].filter((row) => row !== undefined);

const detailsOf = ({ title, color, description }: LabelRow) => ({
  name: title,
  color,
  description,
  description_html: descriptionHtml(description),
  text_color: textColorOn(color),
});

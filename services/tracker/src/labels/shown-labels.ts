import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { knownLabels } from './known-labels.ts';
import { descriptionHtml } from './label.view.ts';
import { textColorOn } from './label-color.ts';
import type { LabelRow } from './labels.projection.ts';

export interface Labelled {
  labelIds: readonly number[] | null;
}

/** How answers show the labels of a page of targets. */
export interface ShownLabels {
  byId: ReadonlyMap<number, LabelRow | null>;
  /** As objects, for `with_labels_details=true` [L66]. */
  detailed: boolean;
}

/**
 * The labels of these targets by id, as they are now: null for one that was deleted. A label that took the place of
 * another is there by both ids.
 */
export function labelsOf(
  readStore: Pick<ReadStore, 'find'>,
  targets: readonly Labelled[],
): ReadonlyMap<number, LabelRow | null> | Promise<ReadonlyMap<number, LabelRow | null>> {
  const ids = targets.length === 1 ? targets[0]!.labelIds : targets.flatMap(({ labelIds }) => labelIds ?? []);
  return knownLabels(readStore).read(ids ?? []);
}

/** For views of these targets. Synchronous where all labels are known. */
export function shownLabels(
  readStore: Pick<ReadStore, 'find'>,
  targets: readonly Labelled[],
  { detailed = false } = {},
): { labels: ShownLabels } | Promise<{ labels: ShownLabels }> {
  const byId = labelsOf(readStore, targets);
  const shown = (found: ShownLabels['byId']) => ({ labels: { byId: found, detailed } });
  return byId instanceof Promise ? byId.then(shown) : shown(byId);
}

/** The labels of one target: titles or objects. */
export function labelsIn(labelIds: readonly number[], { labels }: { labels: ShownLabels }) {
  return labels.detailed ? rowsIn(labelIds, labels).map(detailsOf) : titlesIn(labelIds, { labels });
}

export const titlesIn = (labelIds: readonly number[], { labels }: { labels: ShownLabels }): string[] =>
  rowsIn(labelIds, labels).map(({ title }) => title);

/** Each once: two may have been replaced by the same. */
function rowsIn(labelIds: readonly number[], { byId }: ShownLabels): LabelRow[] {
  const rows: LabelRow[] = [];
  for (const id of labelIds) {
    const row = byId.get(id);
    if (row) rows.push(row);
  }
  return rows.length < 2 ? rows : [...new Set(rows)];
}

const detailsOf = ({ title, color, description }: LabelRow) => ({
  name: title,
  color,
  description,
  description_html: descriptionHtml(description),
  text_color: textColorOn(color),
});

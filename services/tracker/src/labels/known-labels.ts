import { FIRST_FORMER_LABEL_ID } from '@forgelog/contracts/tracker/labels/former-label-id.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import type { DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import { endedLabels, type LabelRow, labels } from './labels.projection.ts';

type EndedLabel = DocumentOf<typeof endedLabels>;
type KnownLabel = LabelRow | EndedLabel;

/** Labels by their ids until they change: nearly every answer about an issue or a merge request shows some. */
export interface KnownLabels {
  /** A deleted label is the one that took its place, or null. Synchronous where all are known and there. */
  read(
    ids: readonly number[],
  ): ReadonlyMap<number, LabelRow | null> | Promise<ReadonlyMap<number, LabelRow | null>>;
  /** Call it with the events that the labels' projection applied. */
  applied(events: readonly RecordedEvent[]): void;
}

const LABELS = 20_000;
const byStore = new WeakMap<object, KnownLabels>();

export function knownLabels(readStore: Pick<ReadStore, 'find'>): KnownLabels {
  let known = byStore.get(readStore);
  if (!known) {
    known = createKnownLabels(readStore);
    byStore.set(readStore, known);
  }
  return known;
}

function createKnownLabels(readStore: Pick<ReadStore, 'find'>): KnownLabels {
  const known = new ReadThrough<number, KnownLabel>(LABELS);

  async function load(ids: number[]): Promise<[number, KnownLabel][]> {
    const where = oneOf('id', ids);
    const found: KnownLabel[] = await readStore.find(labels, { where, limit: ids.length });
    if (found.length < ids.length)
      found.push(...(await readStore.find(endedLabels, { where, limit: ids.length })));
    return found.map((label) => [label.id, label]);
  }

  function remembered(ids: readonly number[]): Map<number, LabelRow> | undefined {
    const shown = new Map<number, LabelRow>();
    for (const id of ids) {
      // The issues of a page have many labels in common, and a map is cheaper to ask.
      if (shown.has(id)) continue;
      const label = known.get(id);
      if (label === undefined || !isThere(label)) return undefined;
      shown.set(id, label);
    }
    return shown;
  }

  async function found(ids: readonly number[]): Promise<Map<number, LabelRow | null>> {
    const all = await known.readAll([...new Set(ids)], load);
    const shown = new Map<number, LabelRow | null>();
    const heirIds = new Map<number, number>();
    for (const [id, label] of all) {
      shown.set(id, isThere(label) ? label : null);
      if (!isThere(label) && label.replacedById !== null) heirIds.set(id, label.replacedById);
    }
    if (heirIds.size === 0) return shown;
    const heirs = await known.readAll([...new Set(heirIds.values())], load);
    for (const [id, heirId] of heirIds) {
      const heir = heirs.get(heirId);
      if (heir && isThere(heir)) shown.set(id, heir);
    }
    return shown;
  }

  return {
    read: (ids) => remembered(ids) ?? found(ids),
    applied(events) {
      for (const { data } of events) {
        const ids = changedBy(data as ChangedData);
        if (ids === undefined) known.forgetAll();
        else for (const id of ids) known.forget(id);
      }
    },
  };
}

const isThere = (label: KnownLabel): label is LabelRow => 'title' in label;

/** What an event that the projection handles tells of labels. */
interface ChangedData {
  labelId?: number;
  /** Events about issues and merge requests have it. */
  iid?: number;
  labelIds?: readonly number[];
  changes?: { labelIds?: readonly number[] };
}

/** Undefined for all labels of a place that ended. */
function changedBy({ labelId, iid, labelIds, changes }: ChangedData): readonly number[] | undefined {
  if (labelId !== undefined) return [labelId];
  if (iid === undefined) return undefined;
  return (changes?.labelIds ?? labelIds ?? []).filter((id) => id >= FIRST_FORMER_LABEL_ID);
}

import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { distinctLabels } from '../targets/target-content.rules.ts';
import { type LabelRef, type LabelWishes, NO_WISHES } from './given-labels.rules.ts';
import { idOfTitle, type LabelPlace, labelDecider, labelsStream } from './label.decider.ts';
import { labelsFor, labelsTitled } from './label.query.ts';
import { DEFAULT_COLOR } from './label-color.ts';
import type { LabelRow } from './labels.projection.ts';
import { type Labelled, labelsOf } from './shown-labels.ts';

/** Labels that one command gives. */
const MOST_GIVEN = 1_000;

type Ports = Pick<ServicePorts, 'commands' | 'ids' | 'readStore' | 'directory' | 'configuration'>;

/** Titles as callers send them. */
interface Asked {
  labels?: readonly string[] | undefined;
  add_labels?: readonly string[] | undefined;
  remove_labels?: readonly string[] | undefined;
}

interface Wanted {
  /** Where the target is. */
  place: LabelPlace;
  /** Whether the target is to be confidential; undefined where it stays as it is. */
  confidential?: boolean | undefined;
  /** Reads the target; null for a new one. */
  target: (() => Promise<(Labelled & { confidential?: boolean | null }) | undefined>) | null;
}

/**
 * What a command does to the labels of a target, by the titles that the caller sent. Labels that the place lacks are
 * created, unless `refuse` throws.
 * @param refuse gets what is wished with ids below 0 that are still unknown, and throws what makes the command fail
 */
export async function labelWishes(
  ports: Ports,
  { place, confidential, target }: Wanted,
  { labels: set, add_labels: add = [], remove_labels: remove = [] }: Asked,
  metadata: EventMetadata,
  refuse: (wishes: LabelWishes) => unknown,
): Promise<LabelWishes> {
  const { readStore, directory, configuration } = ports;
  if (set === undefined && add.length === 0 && remove.length === 0) return NO_WISHES;
  const [given, added, removed] = [distinctLabels(set ?? []), distinctLabels(add), distinctLabels(remove)];
  if (given.length + added.length > MOST_GIVEN)
    throw new Rejection('validation_failed', {
      fields: { labels: [`are too many (maximum is ${MOST_GIVEN})`] },
    });
  const among = await labelsFor(directory, place);
  const known: Map<string, LabelRef[]> = await labelsTitled(readStore, among, [
    ...given,
    ...added,
    ...removed,
  ]);
  const row = await target?.();
  const now = row ? await labelsOf(readStore, [row]) : new Map();
  const missing = [...new Set([...given, ...added])].filter((title) => !known.has(title));
  const named = (titles: readonly string[]) =>
    titles.map((title) => known.get(title)?.[0] ?? { id: -1 - missing.indexOf(title), title });
  const wishes = () => ({
    set: set === undefined ? null : named(given),
    add: named(added),
    remove: removed.flatMap((title) => (known.get(title) ?? []).map(({ id }) => id)),
    now,
    exclusive: configuration.EDITION !== 'free',
  });
  if (missing.length > 0) await refuse(wishes());
  const isSecret = confidential ?? row?.confidential ?? false;
  for (const label of await created(ports, { place, confidential: isSecret }, missing, metadata))
    known.set(label.title, [label]);
  const chosen = [...given, ...added].flatMap((title) => known.get(title)?.[0] ?? []);
  if (!isSecret) await open(ports, chosen, metadata);
  return wishes();
}

async function created(
  { commands, ids }: Ports,
  { place, confidential }: Pick<Wanted, 'place'> & { confidential: boolean },
  titles: readonly string[],
  metadata: EventMetadata,
): Promise<LabelRef[]> {
  if (titles.length === 0) return [];
  const look = { color: DEFAULT_COLOR, description: null, priority: null, confidential };
  const labelIds = await ids.many('label', titles.length);
  const wanted = titles.map((title, at) => ({ labelId: labelIds[at]!, title, ...look }));
  const { state } = await commands.handle(
    labelDecider,
    labelsStream(place),
    { type: 'EnsureLabels', ...place, labels: wanted },
    metadata,
  );
  return titles.map((title) => ({ id: idOfTitle(state, title)!, title }));
}

/** Tells everybody of labels that only readers of confidential issues know. */
async function open(
  ports: Pick<ServicePorts, 'commands'>,
  chosen: readonly (LabelRef | LabelRow)[],
  metadata: EventMetadata,
): Promise<void> {
  const hidden = chosen.filter((label): label is LabelRow => 'confidential' in label && label.confidential);
  for (const label of hidden) await begun(ports, label, metadata);
  for (const [stream, [first, ...others]] of Map.groupBy(hidden, labelsStream)) {
    const { projectId, groupId } = first!;
    const labelIds = [first!, ...others].map(({ id }) => id);
    await ports.commands.handle(
      labelDecider,
      stream,
      { type: 'OpenLabels', projectId, groupId, labelIds },
      metadata,
    );
  }
}

/** Begins a label that is only known of because events named it, before a command changes it. */
export async function begun(
  { commands }: Pick<ServicePorts, 'commands'>,
  { recorded, id: labelId, projectId, groupId, ...label }: LabelRow,
  metadata: EventMetadata,
): Promise<void> {
  if (recorded) return;
  const place = { projectId, groupId };
  const { title, color, description, priority, confidential } = label;
  await commands.handle(
    labelDecider,
    labelsStream(place),
    {
      type: 'EnsureLabels',
      ...place,
      labels: [{ labelId, title, color, description, priority, confidential }],
    },
    metadata,
  );
}

import type { EventDefinition, EventOf } from './event.ts';

type Fixed = Readonly<Record<string, string | number | boolean | null>>;

/**
 * How records of a kind begin and end. The AsyncAPI document publishes it, so that whoever builds tables from events
 * needs no knowledge of the code: what goes with a deleted project has no event of its own, but it has a rule.
 */
export interface Lifetime {
  kind: string;
  /** Fields that tell one record from another. */
  id: readonly string[];
  begins: readonly Beginning[];
  /** Types of events that name a record by its id; their `changes` are its new values. */
  changes: readonly string[];
  ends: readonly Ending[];
}

export interface Beginning {
  event: string;
  /** Field of the record → field of the event, where the names differ. One of the id that is null begins nothing. */
  fields: Readonly<Record<string, string>>;
  /** Fields of the record with the same value in each record. */
  fixed: Fixed;
}

export interface Ending {
  event: string;
  /** Field of the record → field of the event with the same value. */
  match: Readonly<Record<string, string>>;
  /** Values that the record must have, too. */
  ofRecord: Fixed;
  /** Values that the event must have, too. */
  ofEvent: Fixed;
  /** Type of the event that each record gets besides, soon afterwards; null where the rule alone tells the end. */
  announcedBy: string | null;
}

type FieldOf<D extends EventDefinition> = keyof EventOf<D>['data'] & string;

export function begins<D extends EventDefinition>(
  { type }: D,
  {
    fields = {},
    fixed = {},
  }: { fields?: Readonly<Record<string, FieldOf<D>>>; fixed?: Beginning['fixed'] } = {},
): Beginning {
  return { event: type, fields, fixed };
}

/** `endsWith(ProjectDeleted, ['projectId'])`; an object where the fields of the record have other names. */
export function endsWith<D extends EventDefinition>(
  { type }: D,
  match: readonly FieldOf<D>[] | Readonly<Record<string, FieldOf<D>>>,
  more: { ofRecord?: Fixed; ofEvent?: Fixed; announcedBy?: EventDefinition } = {},
): Ending {
  const { ofRecord = {}, ofEvent = {}, announcedBy } = more;
  const fields: Readonly<Record<string, string>> = Array.isArray(match)
    ? Object.fromEntries((match as readonly string[]).map((field) => [field, field]))
    : (match as Readonly<Record<string, string>>);
  return { event: type, match: fields, ofRecord, ofEvent, announcedBy: announcedBy?.type ?? null };
}

export const changedBy = (...events: readonly EventDefinition[]): string[] => events.map(({ type }) => type);

export const defineLifetime = (
  lifetime: Omit<Lifetime, 'changes'> & Partial<Pick<Lifetime, 'changes'>>,
): Lifetime => ({ changes: [], ...lifetime });

/** Whether the rule ends one record, which the event names, and not all that belong to something. */
export const endsOne = ({ id }: Lifetime, { match }: Ending): boolean =>
  id.every((field) => match[field] !== undefined);

/** Whether the rule ends many records that get no event of their own. Their number gets one: `RecordsEnded`. */
export const endsUnannounced = (lifetime: Lifetime, ending: Ending): boolean =>
  ending.announcedBy === null && !endsOne(lifetime, ending);

import { z } from 'zod';

export interface DomainEvent<Type extends string = string, Data = unknown> {
  type: Type;
  data: Data;
}

/**
 * The treatment of an event in the audit log [L93]. A privileged event becomes one audit event, all others none.
 * - `content`: a change of a project's content, which shows its author itself.
 * - `own`: a person's own list or preference, which concerns nobody else.
 * - `part`: a part of another audited change.
 * - `system`: detected or maintained by the system itself.
 */
export type AuditClass = PrivilegedChange | 'content' | 'own' | 'part' | 'system';

/** A privileged change with its name in the audit log, unless the log has a rule for the event. */
export interface PrivilegedChange {
  /** The id of this entity is `userId`, `groupId` or `projectId` in the data. */
  entity: 'User' | 'Group' | 'Project';
  /**
   * The changed thing: `FreezePeriod`, with its id in `freezePeriodId`. The event type begins with it:
   * `FreezePeriodCreated`.
   */
  target: string;
}

export const privileged = (
  entity: PrivilegedChange['entity'],
  target: string = entity,
): PrivilegedChange => ({
  entity,
  target,
});

/** Top-level fields of an event's data. */
export const fieldsOf = ({ schema }: EventDefinition): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/**
 * The treatment of an event in the activity feed [L492]. The feed describes `told` events; it omits the others.
 * - `administration`: accounts, groups and credentials, covered by the audit log.
 * - `unnamed`: the specification has no such action.
 * - `removal`: removes the activity of the removed thing.
 * - `own`: for one person only.
 * - `system`: detected or maintained by the system itself.
 */
export type ActivityClass = 'told' | 'administration' | 'unnamed' | 'removal' | 'own' | 'system';

/** A published event of a real run. Hashes of secrets, which are withheld, are replaced by a word. */
export interface EventExample {
  subject: string;
  data: Readonly<Record<string, unknown>>;
  [attribute: string]: unknown;
}

/** The contract of an event type: its current data, and the upcasters from earlier versions. */
export interface EventDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  type: Type;
  /** Starts at 1; raised when the data changes its shape. */
  version: number;
  /** One plain sentence about what happened. */
  description: string;
  /** Forms of the streams it is in: see `subjectPattern`. */
  subject: readonly string[];
  /** Written by `npm run examples`. */
  example: EventExample | undefined;
  /** The service whose deciders return it. */
  service: string;
  audit: AuditClass;
  activity: ActivityClass;
  schema: Schema;
  /** Whether the stream is named after something personal; a hash in its name is published with the instance's key. */
  isSubjectPersonal: boolean;
  /** Fields of the data, or of objects in it, that are never published: hashes of secrets. */
  withheld: readonly string[];
  /** For each earlier version, the step to the next one. */
  upcast: Readonly<Record<number, (data: unknown) => unknown>>;
  /**
   * For a version, the step to the one before, for consumers of older contracts. Fields that these do not know are left
   * out without a step. Null: there is no way back, and the contract gets a new major version.
   */
  downcast: Readonly<Record<number, ((data: unknown) => unknown) | null>>;
  /**
   * Paths of enumerations that get new values, such as `kind` and `lists[].kind`. Consumers of older contracts do not know
   * these: the nearest list around one is sent without its entry, and what is in no list leaves the event out. So a path
   * in no list must name what keeps its value as long as the thing exists, in all events of the thing.
   */
  growing: readonly string[];
}

/** The data as it is published: without what its contract withholds, at the top and in nested objects. */
export function publishedData({ withheld }: Pick<EventDefinition, 'withheld'>, data: unknown): unknown {
  return withheld.length === 0 ? data : without(data as Readonly<Record<string, unknown>>, withheld);
}

function without(data: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data))
    if (!names.includes(name)) kept[name] = isObject(value) ? without(value, names) : value;
  return kept;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type EventOf<D extends EventDefinition> =
  D extends EventDefinition<infer Type, infer Schema> ? DomainEvent<Type, z.output<Schema>> : never;

/** @throws Error for a missing upcaster, or a privileged event that is not named after its target */
export function defineEvent<const Type extends string, Schema extends z.ZodType>(definition: {
  type: Type;
  version: number;
  description: string;
  subject: string | readonly string[];
  example?: EventExample;
  service: string;
  audit: AuditClass;
  activity: ActivityClass;
  schema: Schema;
  isSubjectPersonal?: boolean;
  withheld?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: data of a version whose schema no longer exists.
  upcast?: Readonly<Record<number, (data: any) => unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  downcast?: Readonly<Record<number, ((data: any) => unknown) | null>>;
  growing?: readonly string[];
}): EventDefinition<Type, Schema> {
  const { type, audit, subject, upcast = {} } = definition;
  for (let version = 1; version < definition.version; version++)
    if (!upcast[version]) throw new Error(`event ${type}: no upcaster from version ${version}`);
  if (typeof audit === 'object' && !type.startsWith(audit.target))
    throw new Error(
      `event ${type}: its name does not begin with ${audit.target}, its target in the audit log`,
    );
  return {
    ...definition,
    subject: typeof subject === 'string' ? [subject] : subject,
    example: definition.example,
    isSubjectPersonal: definition.isSubjectPersonal ?? false,
    withheld: definition.withheld ?? [],
    upcast,
    downcast: definition.downcast ?? {},
    growing: definition.growing ?? [],
  };
}

/** The service of events that mean nothing outside, such as reserved ids. */
const INTERNAL = 'eventing';

/** Whether events of this type leave the system. */
export const isPublished = ({ service }: Pick<EventDefinition, 'service'>): boolean => service !== INTERNAL;

/** The service of events that are not in the log, but in the access log beside it (ADR 39). */
export const ACCESS_LOG = 'access';

/** Whether events of this type are in the log, and leave the system. */
export const isInLog = (definition: Pick<EventDefinition, 'service'>): boolean =>
  isPublished(definition) && definition.service !== ACCESS_LOG;

/** The address of the schema of a type's data. */
export const eventSchemaPath = ({ type, version }: Pick<EventDefinition, 'type' | 'version'>): string =>
  `/api/v4/event_schemas/${type}/${version}`;

export const topicOf = (service: string): string => `forgelog.${service}`;

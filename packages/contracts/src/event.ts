import { z } from 'zod';

/** An event that a decider returned: what happened, in the terms of its contract. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  type: Type;
  data: Data;
}

/**
 * What the audit log makes of an event [L93]. A privileged one becomes exactly one audit event; the others none:
 * - `content`: a change of a project's content, which shows its author itself;
 * - `own`: a person's own list or liking, which concerns nobody else;
 * - `part`: a part of another change that is audited;
 * - `system`: found or kept by the system itself.
 */
export type AuditClass = PrivilegedChange | 'content' | 'own' | 'part' | 'system';

/** A privileged change, and how the audit log names it where it has no rule of its own for the event. */
export interface PrivilegedChange {
  /** The audit event belongs to the one that `userId`, `groupId` or `projectId` of the data names. */
  entity: 'User' | 'Group' | 'Project';
  /**
   * What was changed: `FreezePeriod`, with its id in the data under `freezePeriodId`. The event's type is this
   * word and what happened: `FreezePeriodCreated`.
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

/** Fields at the top of an event's data. */
export const fieldsOf = ({ schema }: EventDefinition): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

export const isPrivileged = ({ audit }: { audit: AuditClass }): boolean => typeof audit === 'object';

/**
 * What the activity feed makes of an event [L492]. A `told` one is described by the feed's own table; the others
 * are not in it:
 * - `administration`: of accounts, groups and credentials, which the audit log tells;
 * - `unnamed`: the specification names no such action;
 * - `removal`: takes the activity of what it removes along;
 * - `own`: for one person only;
 * - `system`: found or kept by the system itself.
 */
export type ActivityClass = 'told' | 'administration' | 'unnamed' | 'removal' | 'own' | 'system';

/** The contract of one event type: what its data is now, and how data of earlier versions becomes that. */
export interface EventDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  type: Type;
  /** 1, 2, …: raised when the data changes its shape. */
  version: number;
  /** The service whose deciders return it. */
  service: string;
  audit: AuditClass;
  activity: ActivityClass;
  schema: Schema;
  /** Paths (`author.email`) of the fields that hold personal data, for erasure and for what leaves the system. */
  personalData: readonly string[];
  /** Fields at the top of the data, or of its `changes`, that never leave the system: hashes of secrets. */
  withheld: readonly string[];
  /** For each earlier version the step to the next one. */
  upcast: Readonly<Record<number, (data: unknown) => unknown>>;
}

/** The domain event that a definition describes. */
export type EventOf<D extends EventDefinition> =
  D extends EventDefinition<infer Type, infer Schema> ? DomainEvent<Type, z.output<Schema>> : never;

/** Defines an event type. @throws Error where an upcaster is missing, or a privileged event is not named after its target */
export function defineEvent<const Type extends string, Schema extends z.ZodType>(definition: {
  type: Type;
  version: number;
  service: string;
  audit: AuditClass;
  activity: ActivityClass;
  schema: Schema;
  personalData?: readonly string[];
  withheld?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: data of a version whose schema no longer exists.
  upcast?: Readonly<Record<number, (data: any) => unknown>>;
}): EventDefinition<Type, Schema> {
  const { type, audit, upcast = {} } = definition;
  for (let version = 1; version < definition.version; version++)
    if (!upcast[version]) throw new Error(`event ${type}: no upcaster from version ${version}`);
  if (typeof audit === 'object' && !type.startsWith(audit.target))
    throw new Error(
      `event ${type}: its name does not begin with ${audit.target}, its target in the audit log`,
    );
  return {
    ...definition,
    personalData: definition.personalData ?? [],
    withheld: definition.withheld ?? [],
    upcast,
  };
}

/** The Kafka topic of a service's events. */
export const topicOf = (service: string): string => `forgelog.${service}`;

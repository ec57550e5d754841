import type { z } from 'zod';
import type { DomainEvent, RecordedEvent } from './event.ts';

/** The contract of one event type: what its data is now, and how data of earlier versions becomes that. */
export interface EventDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  type: Type;
  /** 1, 2, …: raised when the data changes its shape. */
  version: number;
  /** The service whose deciders return it. */
  service: string;
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

/** Defines an event type. Refuses a missing upcaster, which would only show when old events are read. */
export function defineEvent<const Type extends string, Schema extends z.ZodType>(definition: {
  type: Type;
  version: number;
  service: string;
  schema: Schema;
  personalData?: readonly string[];
  withheld?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: data of a version whose schema no longer exists.
  upcast?: Readonly<Record<number, (data: any) => unknown>>;
}): EventDefinition<Type, Schema> {
  const upcast = definition.upcast ?? {};
  for (let version = 1; version < definition.version; version++)
    if (!upcast[version]) throw new Error(`event ${definition.type}: no upcaster from version ${version}`);
  return {
    ...definition,
    personalData: definition.personalData ?? [],
    withheld: definition.withheld ?? [],
    upcast,
  };
}

export interface EventCatalogue {
  definitions: readonly EventDefinition[];
  /** @throws UnknownEventTypeError */
  get(type: string): EventDefinition;
  has(type: string): boolean;
  /** Checks data at its current version, as a decider returns it. @throws InvalidEventError */
  parse(type: string, data: unknown): unknown;
  /** The event with its data at the current version. @throws InvalidEventError, UnknownEventTypeError */
  read(recorded: RecordedEvent): RecordedEvent;
}

export class UnknownEventTypeError extends Error {
  override readonly name = 'UnknownEventTypeError';
}

export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

/** All event types of the system, or of the part that a process runs. Refuses a type defined twice. */
export function createCatalogue(definitions: readonly EventDefinition[]): EventCatalogue {
  const byType = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    const other = byType.get(definition.type);
    if (other && other !== definition) throw new Error(`event type ${definition.type} is defined twice`);
    byType.set(definition.type, definition);
  }

  function get(type: string): EventDefinition {
    const definition = byType.get(type);
    if (!definition) throw new UnknownEventTypeError(`event type ${type} is not in the catalogue`);
    return definition;
  }

  function check(definition: EventDefinition, data: unknown, where: string): unknown {
    const result = definition.schema.safeParse(data);
    if (result.success) return result.data;
    const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'data'}: ${issue.message}`);
    throw new InvalidEventError(
      `event ${definition.type} ${where} breaks its contract: ${issues.join('; ')}`,
    );
  }

  return {
    definitions: [...byType.values()],
    get,
    has: (type) => byType.has(type),
    parse: (type, data) => check(get(type), data, 'to be appended'),
    read(recorded) {
      const definition = get(recorded.type);
      const where = `at ${recorded.position} (${recorded.stream}/${recorded.revision})`;
      if (recorded.schemaVersion > definition.version)
        throw new InvalidEventError(
          `event ${recorded.type} ${where} has version ${recorded.schemaVersion}, this program knows ${definition.version}`,
        );
      let data = recorded.data;
      for (let version = recorded.schemaVersion; version < definition.version; version++)
        data = (definition.upcast[version] as (data: unknown) => unknown)(data);
      return { ...recorded, schemaVersion: definition.version, data: check(definition, data, where) };
    },
  };
}

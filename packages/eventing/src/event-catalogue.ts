import { createHmac } from 'node:crypto';
import { type EventDefinition, eventSchemaPath } from '@forgelog/contracts/event.ts';
import { publishedSubject } from '@forgelog/contracts/event-subject.ts';
import type { RecordedEvent } from './event.ts';

export interface EventCatalogue {
  definitions: readonly EventDefinition[];
  get(type: string): EventDefinition;
  has(type: string): boolean;
  /** @param version by default the current one */
  schemaAddress(type: string, version?: number): string;
  /** The name of the event's stream outside: hashes in it have the instance's key. */
  subjectOf(recorded: RecordedEvent): string;
  /** Validates data against its current version. @throws InvalidEventError */
  parse(type: string, data: unknown): unknown;
  /** Upcasts the data to its current version. @throws InvalidEventError, UnknownEventTypeError */
  read(recorded: RecordedEvent): RecordedEvent;
}

export class UnknownEventTypeError extends Error {
  override readonly name = 'UnknownEventTypeError';
}

export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

const UNPUBLISHED: Publication = {
  externalUrl: '',
  key() {
    throw new Error('this catalogue has no key: it is not for publishing events');
  },
};

export interface Publication {
  externalUrl: string;
  key(): Buffer;
}

/** @param publication without it, streams with a hash cannot be published */
export function createCatalogue(
  definitions: readonly EventDefinition[],
  { externalUrl, key }: Publication = UNPUBLISHED,
): EventCatalogue {
  const byType = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    const other = byType.get(definition.type);
    if (other && other !== definition) throw new Error(`event type ${definition.type} is defined twice`);
    byType.set(definition.type, definition);
  }

  function get(type: string): EventDefinition {
    const definition = byType.get(type);
    if (!definition)
      throw new UnknownEventTypeError(
        `event type ${type} is not in the catalogue: this version knows those of packages/contracts/src/events.ts`,
      );
    return definition;
  }

  function check(definition: EventDefinition, data: unknown, where: () => string): unknown {
    const result = definition.schema.safeParse(data);
    if (result.success) return result.data;
    const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'data'}: ${issue.message}`);
    throw new InvalidEventError(
      `event ${definition.type} ${where()} breaks its contract: ${issues.join('; ')}`,
    );
  }

  const keyed = (hash: string) => createHmac('sha256', key()).update(`subject ${hash}`).digest('hex');

  return {
    definitions: [...byType.values()],
    get,
    has: (type) => byType.has(type),
    schemaAddress: (type, version = get(type).version) =>
      `${externalUrl}${eventSchemaPath({ type, version })}`,
    subjectOf({ type, stream }) {
      const { isSubjectPersonal, subject } = get(type);
      return isSubjectPersonal ? publishedSubject(subject, stream, keyed) : stream;
    },
    parse: (type, data) => check(get(type), data, () => 'to be appended'),
    read(recorded) {
      const definition = get(recorded.type);
      const where = () => `at ${recorded.position} (${recorded.stream}/${recorded.revision})`;
      if (recorded.schemaVersion > definition.version)
        throw new InvalidEventError(
          `event ${recorded.type} ${where()} has version ${recorded.schemaVersion}, this program knows ${definition.version}`,
        );
      let data = recorded.data;
      for (let version = recorded.schemaVersion; version < definition.version; version++)
        data = (definition.upcast[version] as (data: unknown) => unknown)(data);
      return { ...recorded, schemaVersion: definition.version, data: check(definition, data, where) };
    },
  };
}

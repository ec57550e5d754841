import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';

/** What an audit event says beside who did it, when and from where [L93]. */
export interface AuditEntry {
  entity: { type: 'User' | 'Group' | 'Project'; id: number };
  target: { type: string; id: number; details: string };
  /** A sentence; never a secret. */
  message: string;
  add?: string;
  change?: string;
  from?: string;
  to?: string;
}

/** Names as they were before the event: who is deleted or renamed is still told by the name of that time. */
export interface KnownNames {
  user(id: number): Promise<{ name: string; username: string }>;
  group(id: number): Promise<KnownPlace>;
  project(id: number): Promise<KnownPlace>;
}
export interface KnownPlace {
  name: string;
  fullPath: string;
  visibility: string;
}

/** How events of one type become audit events: each is exactly one. */
export interface AuditRule {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: stands for the payload of any event.
  describe(event: any, known: KnownNames): Promise<AuditEntry>;
}

export function audited<D extends EventDefinition>(
  { type }: D,
  describe: (event: Recorded<EventOf<D>>, known: KnownNames) => Promise<AuditEntry>,
): AuditRule {
  return { type, describe };
}

/** A change told by the names of what it changed; old and new where it is a single one with plain values. */
export function changeOf(
  changes: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, string>> = {},
): Pick<AuditEntry, 'change' | 'from' | 'to'> {
  const names = Object.keys(changes);
  const [name, ...others] = names;
  if (name === undefined || others.length > 0 || before[name] === undefined)
    return { change: names.join(', ') };
  return { change: name, from: before[name], to: String(changes[name]) };
}

/**
 * The changes of a record by the names that the API has for them (`default_branch`), with those of its nested
 * settings beside them, secrets by name alone.
 */
export function flatChanges(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const tell = (name: string, value: unknown) => {
    flat[snakeCase(name)] = value;
  };
  for (const [name, value] of Object.entries(changes)) {
    if (name === 'settings' || name === 'profile') {
      for (const [nested, change] of Object.entries(value as Record<string, unknown>)) tell(nested, change);
    } else tell(name === 'passwordHash' ? 'password' : name, value);
  }
  return flat;
}

/** `defaultBranch` becomes `default_branch`, `FreezePeriod` becomes `freeze_period`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? '_' : ''}${letter.toLowerCase()}`);

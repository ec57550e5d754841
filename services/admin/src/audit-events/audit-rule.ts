import type { auditEventView } from '@forgelog/contracts/admin/audit-events/audit-event.api.ts';
import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { z } from 'zod';

/** What is stored of a change, as it was called when it happened. */
export type AuditDetails = z.output<typeof auditEventView>['details'];

/** An audit event without the actor, time and origin [L93]. */
export interface AuditEntry {
  entity: { type: 'User' | 'Group' | 'Project'; id: number };
  target: { type: string; id: number; details: string };
  /** A sentence without secrets. */
  message: string;
  add?: string;
  change?: string;
  from?: string;
  to?: string;
}

/** Names before the event, so that deleted or renamed records keep the name of the time. */
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

/** Maps each event of one type to one audit event, or to none where it is a part of another audited change. */
export interface AuditRule {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: stands for the payload of any event.
  describe(event: any, known: KnownNames): Promise<AuditEntry | undefined>;
}

export function audited<D extends EventDefinition>(
  { type }: D,
  describe: (event: Recorded<EventOf<D>>, known: KnownNames) => Promise<AuditEntry | undefined>,
): AuditRule {
  return { type, describe };
}

/** Names the changed fields; a single change of a plain value also has its old and new value. */
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

/** What people call the secrets. */
const SECRETS: Readonly<Record<string, string>> = {
  passwordHash: 'password',
  sealedValue: 'value',
  sealedUrl: 'url',
  sealedToken: 'token',
  sealedVariables: 'variables',
};

/** Changes by their API names (`default_branch`), with nested settings flattened and secrets by name only. */
export function flatChanges(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const tell = (name: string, value: unknown) => {
    flat[snakeCase(name)] = value;
  };
  for (const [name, value] of Object.entries(changes)) {
    if (name === 'settings' || name === 'profile') {
      for (const [nested, change] of Object.entries(value as Record<string, unknown>)) tell(nested, change);
    } else tell(SECRETS[name] ?? name, value);
  }
  return flat;
}

/** `defaultBranch` becomes `default_branch`, `FreezePeriod` becomes `freeze_period`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? '_' : ''}${letter.toLowerCase()}`);

import {
  GroupCreated,
  type GroupEvent,
  GroupTransferred,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserCreated, type UserEvent, UserUpdated } from '@forgelog/contracts/admin/users/user.events.ts';
import {
  ProjectCreated,
  type ProjectEvent,
  ProjectTransferred,
  ProjectUpdated,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Projection, ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';
import { auditRules } from './audit.rules.ts';
import { auditPlaces, auditUsers, knownNames, recordNames } from './audit-names.collection.ts';
import type { AuditDetails, AuditEntry, KnownNames } from './audit-rule.ts';

/** One document per privileged change, immutable and permanent. */
export const auditEvents = defineCollection({
  name: 'audit_events',
  key: 'eventId',
  fields: {
    /** The source event's id, which makes the projection idempotent. */
    eventId: 'text',
    /** Counts in log order. */
    id: 'integer',
    authorId: 'integer',
    /** The administrator behind a sudo, else null. */
    impersonatorId: 'integer?',
    entityType: 'text',
    entityId: 'integer',
    createdAt: 'text',
    /** `AuditDetails`, as they were when it happened. */
    details: 'json',
  },
  indexes: [
    ['-id'],
    ['entityType', '-id'],
    ['entityType', 'entityId', '-id'],
    ['entityType', 'entityId', 'authorId', '-id'],
    ['entityType', 'entityId', 'impersonatorId', '-id'],
    ['createdAt'],
  ],
});

export type AuditEventRow = DocumentOf<typeof auditEvents>;

const auditIds = defineCollection({
  name: 'audit_ids',
  key: 'counter',
  fields: { counter: 'text', last: 'integer' },
  indexes: [],
});

/** Events that change the audit's copy of names. */
const NAMES = [
  ...[UserCreated, UserUpdated],
  ...[GroupCreated, GroupUpdated, GroupTransferred],
  ...[ProjectCreated, ProjectUpdated, ProjectTransferred],
].map(({ type }) => type as string);

const rules = auditRules();

const NO_PLACE = { name: '', fullPath: '', visibility: '' };
const NAMELESS: KnownNames = {
  user: async () => ({ name: '', username: '' }),
  group: async () => NO_PLACE,
  project: async () => NO_PLACE,
};

/** Whether the audit log tells an event by itself; others are parts of a change that it tells. */
export const isTold = async (event: RecordedEvent): Promise<boolean> =>
  (await rules.get(event.type)?.describe(event, NAMELESS)) !== undefined;

/** Stands for the system as the author. */
const SYSTEM_AUTHOR = -1;

export const auditEventsProjection: Projection = {
  name: 'audit-events',
  collections: [auditEvents, auditIds, auditUsers, auditPlaces],
  handles: [...new Set([...rules.keys(), ...NAMES])],
  async project(event, documents) {
    const known = knownNames(documents);
    const entry = await rules.get(event.type)?.describe(event, known);
    if (NAMES.includes(event.type))
      await recordNames(event as Recorded<UserEvent | GroupEvent | ProjectEvent>, documents);
    if (entry && !(await documents.get(auditEvents, event.id))) await write(documents, event, entry, known);
  },
};

async function write(
  documents: ProjectionDocuments,
  event: RecordedEvent,
  entry: AuditEntry,
  known: KnownNames,
): Promise<void> {
  const { entity, target, message, ...change } = entry;
  const { actorId, onBehalfBy, clientAddress } = initiatorOf(event.metadata);
  const behind = onBehalfBy === null ? null : await known.user(onBehalfBy);
  const id = await nextId(documents);
  const authorId = actorId ?? SYSTEM_AUTHOR;
  documents.put(auditEvents, {
    eventId: event.id,
    id,
    authorId,
    impersonatorId: onBehalfBy,
    entityType: entity.type,
    entityId: entity.id,
    createdAt: event.time,
    details: {
      ...change,
      author_name: actorId === null ? 'System' : (await known.user(actorId)).name,
      target_id: target.id,
      target_type: target.type,
      target_details: target.details,
      ip_address: clientAddress,
      entity_path: await pathOf(entity, known),
      custom_message: behind ? `${message} (through sudo by ${behind.username})` : message,
      ...(behind && { impersonated_by: behind.name }),
    } satisfies AuditDetails,
  });
}

async function pathOf({ type, id }: AuditEntry['entity'], known: KnownNames): Promise<string> {
  switch (type) {
    case 'User':
      return (await known.user(id)).username;
    case 'Group':
      return (await known.group(id)).fullPath;
    case 'Project':
      return (await known.project(id)).fullPath;
    default:
      return type satisfies never;
  }
}

async function nextId(documents: ProjectionDocuments): Promise<number> {
  const counter = await documents.get(auditIds, 'audit');
  const id = (counter?.last ?? 0) + 1;
  documents.put(auditIds, { counter: 'audit', last: id });
  return id;
}

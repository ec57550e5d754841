import { isTold } from '@forgelog/admin/audit-events/audit-events.projection.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { NameForfeitedEvent } from '@forgelog/contracts/shared/route.events.ts';
import {
  BEGINNING,
  type EventMetadata,
  initiatorOf,
  type Position,
  type RecordedEvent,
} from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { CorruptLogError, type EventStore } from '@forgelog/eventing/event-store.ts';
import type { Report } from './report.ts';

/** Facts from the log, to compare with the other stores. */
export interface LogContents {
  /** The refs of each existing project: full name to object id. */
  projects: Map<number, Map<string, string>>;
  /** Projects that were deleted, or never created. */
  gone: Set<number>;
  /** All changes that the audit log tells, in order. */
  privileged: (Pick<RecordedEvent, 'id' | 'type' | 'position'> &
    Pick<EventMetadata, 'actorId' | 'onBehalfBy'>)[];
}

const PAGE = 1000;
const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ZERO_OID = '0'.repeat(40);

/** Reads the whole log once. Returns null if it is damaged, since nothing after that can be verified. */
export async function verifyLog(
  store: EventStore,
  catalogue: EventCatalogue,
  report: Report,
): Promise<LogContents | null> {
  const contents: LogContents = { projects: new Map(), gone: new Set(), privileged: [] };
  const revisions = new Map<string, number>();
  let position = BEGINNING;
  let events = 0;
  for (;;) {
    let batch: RecordedEvent[];
    try {
      batch = await store.readAll({ after: position, limit: PAGE });
    } catch (error) {
      if (!(error instanceof CorruptLogError)) throw error;
      report.problem(`${error.message}; nothing after it was read. Put the log back from a copy.`);
      return null;
    }
    for (const event of batch) {
      checkPlace(event, position, revisions, report);
      position = event.position;
      await take(event, catalogue, contents, report);
    }
    events += batch.length;
    report.progress(`${events} events in ${revisions.size} streams`);
    if (batch.length < PAGE) break;
  }
  const head = await store.head();
  if (head !== position) report.problem(`The log ends at ${position || 'its beginning'}, not at ${head}.`);
  return contents;
}

function checkPlace(
  event: RecordedEvent,
  before: Position,
  revisions: Map<string, number>,
  report: Report,
): void {
  const { id, stream, revision, position } = event;
  const due = (revisions.get(stream) ?? -1) + 1;
  if (revision !== due)
    report.problem(`${stream} has revision ${revision} at ${position}, where ${due} is due.`);
  if (position <= before) report.problem(`Position ${position} follows ${before}.`);
  if (!EVENT_ID.test(id)) report.problem(`The event at ${position} has the id "${id}", which is no UUID.`);
  revisions.set(stream, revision);
}

async function take(
  recorded: RecordedEvent,
  catalogue: EventCatalogue,
  contents: LogContents,
  report: Report,
): Promise<void> {
  let event: RecordedEvent;
  try {
    event = catalogue.read(recorded);
  } catch (error) {
    report.problem(`${(error as Error).message}.`);
    return;
  }
  const { id, type, position, metadata } = event;
  const { actorId, onBehalfBy } = initiatorOf(metadata);
  if (await isTold(event)) contents.privileged.push({ id, type, position, actorId, onBehalfBy });
  if (type === 'NameForfeited') {
    const { holder, holderId } = event.data as NameForfeitedEvent['data'];
    if (holder === 'project' && !contents.projects.has(holderId)) contents.gone.add(holderId);
  }
  const { projectId } = event.data as { projectId?: number };
  if (projectId === undefined) return;
  if (type === 'ProjectCreated') contents.projects.set(projectId, new Map());
  if (type === 'ProjectDeleted' || type === 'ProjectCreationAbandoned') {
    contents.projects.delete(projectId);
    contents.gone.add(projectId);
  }
  if (type === 'RefUpdated') moveRef(event as unknown as RecordedRef, contents, report);
}

type RecordedRef = EventOf<typeof RefUpdated> & { position: Position };

/** Verifies that each move of a ref starts where the last one ended. */
function moveRef({ data, position }: RecordedRef, { projects }: LogContents, report: Report): void {
  const { projectId, ref, oldOid, newOid } = data;
  const refs = projects.get(projectId);
  // A push may be recorded after its project was deleted.
  if (!refs) return;
  const before = refs.get(ref) ?? ZERO_OID;
  if (before !== oldOid)
    report.problem(
      `${ref} of project ${projectId} moves from ${oldOid} at ${position}, but was at ${before}.`,
    );
  if (newOid === ZERO_OID) refs.delete(ref);
  else refs.set(ref, newOid);
}

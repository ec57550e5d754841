import { ACCESS_LOG, type EventDefinition, type EventExample } from '@forgelog/contracts/event.ts';
import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { LogIdentity } from '@forgelog/eventing/log-identity.ts';

/** What differs from run to run, with what stands for it in examples. */
const FIXED = {
  id: '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10',
  requestid: '01932c5e-7f0a-4aa1-8c55-0b8e6a7c9d20',
  causationid: '01932c5e-7f09-7b31-a1f4-52d06e8b7c11',
};
const LOG_ID = '01932c5e-0b11-7a01-8c55-52a46d2f9a10';
const LOG = new LogIdentity(LOG_ID);
const [BEFORE, POSITION] = ['0000000000000041', '0000000000000042'];
/** The access log has its events in the order in which they were written, which differs. */
const ACCESS_POSITION = 'a000000000000042';
/** Random ids, with as many digits as real ones. */
const RANDOM_IDS: Readonly<Record<string, string>> = {
  discussionId: 'c0ffee00'.repeat(5),
  uploadId: '66dbcd21ec5d24ed6ea225176098d52b',
  attachmentId: '66dbcd21ec5d24ed6ea225176098d52b',
  requestId: '01932c5e-7f0a-4f1b-8a6d-3c9e5b7d2f80',
  authorizationId: '01932c5e-7f0a-4d2a-8c6e-2b9f4e7a1c53',
  clientId: '5832fc6e14300a0d962240a8144466eef4ee93ef0d218477e55f11cf12fc3737',
  mergeId: '01932c5e-7f0a-4c3e-9b1d-6e2f8a7c5d31',
};
const PUSH_ID = '01932c5e-7f0a-7d11-bb02-6a1e8c3d7f45';
/** Definitions of jobs hold the address of the server, whose port differs. */
const DEFINITIONS = 'b'.repeat(64);
/** Bytes, which depend on the version of git. */
const REPOSITORY_SIZE = 4096;
/** How often something happened depends on when it was written. */
const COUNT = 3;
/** Stands for a hash of a secret. */
const WITHHELD = 'withheld';

/** The lower, the better is an event as an example: of a request, of its consequences, of the system. */
const rankOf = ({ requestid, causationid }: EventExample) =>
  requestid === undefined ? 2 : causationid === undefined ? 0 : 1;

const compare = (one: EventExample, other: EventExample) =>
  rankOf(one) - rankOf(other) || JSON.stringify(other.data).length - JSON.stringify(one.data).length;

/** The example of each type: of the best rank, the first event that says most. */
export function examplesOf(
  events: readonly RecordedEvent[],
  catalogue: EventCatalogue,
): Record<string, EventExample> {
  const chosen: Record<string, EventExample> = {};
  for (const event of events) {
    const example = exampleOf(event, catalogue);
    const known = chosen[event.type];
    if (!known || compare(example, known) < 0) chosen[event.type] = example;
  }
  return chosen;
}

function exampleOf(recorded: RecordedEvent, catalogue: EventCatalogue): EventExample {
  const definition = catalogue.get(recorded.type);
  const event = catalogue.read(recorded);
  const { epoch } = event.data as { epoch?: string };
  const log = epoch ? new LogIdentity(LOG_ID, [{ name: epoch, after: BEFORE }]) : LOG;
  const place =
    definition.service === ACCESS_LOG ? { position: ACCESS_POSITION, revision: 42 } : { position: POSITION };
  const { data: _, ...envelope } = toCloudEvent({ ...event, ...place }, catalogue, log);
  const fixed = Object.fromEntries(
    Object.entries(FIXED).filter(([name]) => envelope[name as keyof typeof envelope] !== undefined),
  );
  const data = normal(event.data as Fields, definition);
  const ids = event.data as Readonly<Record<string, string | undefined>>;
  const subject = Object.entries(RANDOM_IDS).reduce(
    (text, [name, id]) => (ids[name] ? text.replace(ids[name], id) : text),
    envelope.subject,
  );
  return JSON.parse(JSON.stringify({ ...envelope, ...fixed, subject, data }));
}

type Fields = Record<string, unknown>;

function normal(data: Fields, definition: EventDefinition): Fields {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (definition.withheld.includes(name) && typeof value === 'string') return [name, WITHHELD];
      if (RANDOM_IDS[name]) return [name, RANDOM_IDS[name]];
      if (name === 'pushId') return [name, PUSH_ID];
      if ((name === 'causeId' || name === 'eventId') && value !== null) return [name, FIXED.causationid];
      if (name === 'definitions' && value !== null) return [name, DEFINITIONS];
      if (definition.type === 'EpochBegun' && name === 'after') return [name, LOG.publish(BEFORE)];
      if (name === 'count') return [name, COUNT];
      if (name === 'repositorySize') return [name, REPOSITORY_SIZE];
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isObject ? normal(value as Fields, definition) : value];
    }),
  );
}

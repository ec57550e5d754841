import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { type CloudEvent, toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { Authorizer, ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { groupScope, isWithin, placeOf } from './event-filter.ts';
import { type EventPart, partOf } from './place-readers.ts';
import type { Reach } from './reach.ts';
import type { SealedPositions } from './sealed-position.ts';

export interface PlacePorts {
  catalogue: EventCatalogue;
  directory: Directory;
  authorizer: Authorizer;
  positions: SealedPositions;
  renewedAt(subscriber: Principal, position: Position): Promise<Principal | undefined>;
}

export interface Place {
  kind: 'project' | 'group';
  id: number;
}

/**
 * The events of a project, or of a group and everything below it, for those who maintain it. Rights are asked at each
 * event, and positions are sealed, because they count events of other places.
 */
export function placeReach(ports: PlacePorts, place: Place, subscriber: Principal): Reach {
  const { directory, authorizer, positions } = ports;
  const name = `${place.kind} ${place.id}`;
  let reader = subscriber;

  const maintains = (grant: { level: number } | undefined): boolean =>
    grant !== undefined && grant.level >= AccessLevel.maintainer;

  const maintainsGroup = async (id: unknown): Promise<boolean> =>
    typeof id === 'number' && maintains(await authorizer.group(String(id), reader));

  /** Asks once for each project of a part of the log, all of whose events are judged by the rights after it. */
  function askedOnce(): (projectId: unknown) => Promise<ProjectGrant | undefined> {
    const asked = new Map<unknown, Promise<ProjectGrant | undefined>>();
    return (projectId) => {
      let grant = asked.get(projectId);
      if (!grant) {
        grant = Promise.resolve(authorizer.project(String(projectId), reader));
        asked.set(projectId, grant);
      }
      return grant;
    };
  }

  async function mayRead(
    event: RecordedEvent,
    part: EventPart,
    grantOf: ReturnType<typeof askedOnce>,
  ): Promise<boolean> {
    const { projectId, groupId, namespaceId, parentId } = placeOf(event);
    if (part === 'group' || (part === 'place' && typeof groupId === 'number'))
      return (await maintainsGroup(groupId)) || (await maintainsGroup(parentId));
    const grant = await grantOf(projectId);
    // The group above a deleted project may still know of its beginning and its end.
    if (!grant) return part === 'project' && (await maintainsGroup(namespaceId));
    return maintains(grant) && isOpen(grant, part);
  }

  async function ofPlace(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    if (place.kind === 'project') return events.filter((event) => placeOf(event).projectId === place.id);
    const scope = await groupScope(directory, place.id);
    return events.filter((event) => isWithin(event, scope));
  }

  return {
    async holdsAt(position) {
      const renewed = await ports.renewedAt(reader, position);
      if (!renewed) return false;
      reader = renewed;
      return maintains(await authorizer[place.kind](String(place.id), reader));
    },
    async readable(events) {
      const readable: RecordedEvent[] = [];
      const grantOf = askedOnce();
      for (const event of await ofPlace(events)) {
        const part = partOf(event);
        if (part !== undefined && (await mayRead(event, part, grantOf))) readable.push(event);
      }
      return readable;
    },
    frame(event, log) {
      const id = positions.seal(name, log.publish(event.position));
      return { id, json: JSON.stringify(shownToMembers(toCloudEvent(event, ports.catalogue, log), id)) };
    },
    publish: (position, log) => positions.seal(name, log.publish(position)),
    read(published, log, store) {
      const opened = positions.open(name, published);
      return opened === undefined ? { kind: 'malformed' } : log.read(opened, store);
    },
  };
}

const isOpen = (grant: ProjectGrant, part: Exclude<EventPart, 'group'>): boolean =>
  part === 'project' || part === 'place' || grant.can(part);

/** Fields of the data that the API shows to administrators alone. */
const ADMINISTRATIVE = ['storage', 'pushOptions'];

/** How somebody reached the server. JSON leaves out what is undefined. */
const HIDDEN = {
  clientaddress: undefined,
  useragent: undefined,
  credentialkind: undefined,
  credentialid: undefined,
  onbehalfby: undefined,
  requestid: undefined,
  traceparent: undefined,
} satisfies Partial<Record<keyof CloudEvent, undefined>>;

/** Hides how somebody reached the server, and leaves out what only administrators see. */
function shownToMembers(event: CloudEvent, position: string): object {
  return { ...event, ...HIDDEN, position, data: withoutAdministrative(event.data as object) };
}

function withoutAdministrative(data: object): object {
  if (!ADMINISTRATIVE.some((name) => name in data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ADMINISTRATIVE.includes(name)));
}

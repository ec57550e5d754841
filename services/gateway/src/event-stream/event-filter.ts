import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventDefinition } from '@forgelog/contracts/event.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';

export interface FilterParams {
  types?: readonly string[] | undefined;
  project_id?: number | undefined;
  group_id?: number | undefined;
  actor_id?: number | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

export interface EventFilter {
  /** The only project whose events can pass. */
  projectId: number | undefined;
  /** Those of the published events that pass, with the places of groups and projects as of now. */
  select(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]>;
  /** Whether no event after this one can pass. */
  endsBefore(event: RecordedEvent): boolean;
  /** The moment from which nothing new passes, in ISO 8601; null for never. */
  until: string | null;
}

/** The ids by which an event says where it belongs. */
export interface PlaceIds {
  projectId?: unknown;
  groupId?: unknown;
  /** The group of a project, or the one above a group. */
  namespaceId?: unknown;
  parentId?: unknown;
  /** The owner of records that ended. */
  ownerKind?: unknown;
  ownerId?: unknown;
}

export function placeOf({ data }: RecordedEvent): PlaceIds {
  const ids = (data ?? {}) as PlaceIds;
  // Version 1 of what tells ended records names a project only as their owner.
  return ids.ownerKind === 'Project' ? { ...ids, projectId: ids.ownerId } : ids;
}

/** Ids of a group and everything below it. */
export interface GroupScope {
  groups: ReadonlySet<unknown>;
  projects: ReadonlySet<unknown>;
}

/** Clocks of processes differ, and may be set back. */
const CLOCKS_DIFFER_MS = 3_600_000;

export interface FilterPorts {
  directory: Directory;
  /** The types that are in the stream; one set for all its readers. */
  carried: ReadonlySet<string>;
}

export const typesCarried = (
  { definitions }: EventCatalogue,
  carries: (definition: EventDefinition) => boolean,
): ReadonlySet<string> => new Set(definitions.filter(carries).map(({ type }) => type));

/** @throws Rejection 400 for a type that the stream does not have */
export function eventFilter({ directory, carried }: FilterPorts, params: FilterParams): EventFilter {
  const { from, until } = params;
  const types = params.types && typesNamed(params.types, carried);
  if (from !== undefined && until !== undefined && from >= until)
    throw new Rejection('invalid_parameters', { problems: ['until is not after from'] });
  return new FieldFilter(directory, params, types ?? carried);
}

/** A class, because thousands of idle readers have one each and closures cost memory. */
class FieldFilter implements EventFilter {
  readonly projectId: number | undefined;
  readonly until: string | null;
  readonly #directory: Directory;
  readonly #types: ReadonlySet<string>;
  readonly #groupId: number | undefined;
  readonly #actorId: number | undefined;
  readonly #from: string | undefined;

  constructor(directory: Directory, params: FilterParams, types: ReadonlySet<string>) {
    this.projectId = params.project_id;
    this.until = params.until ?? null;
    this.#directory = directory;
    this.#types = types;
    this.#groupId = params.group_id;
    this.#actorId = params.actor_id;
    this.#from = params.from;
  }

  async select(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const passing = events.filter((event) => this.#passes(event));
    if (this.#groupId === undefined || passing.length === 0) return passing;
    const scope = await groupScope(this.#directory, this.#groupId);
    return passing.filter((event) => isWithin(event, scope));
  }

  endsBefore({ time }: RecordedEvent): boolean {
    return this.until !== null && Date.parse(time) > Date.parse(this.until) + CLOCKS_DIFFER_MS;
  }

  #passes(event: RecordedEvent): boolean {
    return (
      this.#types.has(event.type) &&
      (this.projectId === undefined || placeOf(event).projectId === this.projectId) &&
      (this.#actorId === undefined || event.metadata.actorId === this.#actorId) &&
      (this.#from === undefined || event.time >= this.#from) &&
      (this.until === null || event.time < this.until)
    );
  }
}

function typesNamed(names: readonly string[], carried: ReadonlySet<string>): ReadonlySet<string> {
  const unknown = names.filter((name) => !carried.has(name));
  if (unknown.length === 0) return new Set(names);
  const shown = unknown.slice(0, 5).map((name) => JSON.stringify(name));
  throw new Rejection('invalid_parameters', {
    problems: [`types has no event type ${shown.join(', ')}: GET /asyncapi.json names them all`],
  });
}

export async function groupScope(directory: Directory, groupId: number): Promise<GroupScope> {
  const [groups, projects] = await Promise.all([
    directory.groupsBelow(groupId),
    directory.projectsBelow(groupId),
  ]);
  return { groups: new Set(groups).add(groupId), projects: new Set(projects) };
}

export function isWithin(event: RecordedEvent, { groups, projects }: GroupScope): boolean {
  const { projectId, groupId, namespaceId, parentId } = placeOf(event);
  return (
    projects.has(projectId) ||
    groups.has(groupId) ||
    // A deleted project or group is in no group any more.
    groups.has(namespaceId) ||
    groups.has(parentId)
  );
}

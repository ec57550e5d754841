import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DebianDistributionEvent } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** One of both ids is there. */
export interface DistributionPlace {
  projectId: number | null;
  groupId: number | null;
}

export interface DistributionAttributes {
  suite: string | null;
  origin: string | null;
  label: string | null;
  version: string | null;
  description: string | null;
  validTimeDurationSeconds: number | null;
  components: readonly string[];
  architectures: readonly string[];
}

type Wanted = { [Name in keyof DistributionAttributes]?: DistributionAttributes[Name] | undefined };

/** The distributions of one place by id. */
export type DistributionsState = ReadonlyMap<number, { codename: string } & DistributionAttributes>;

export type DistributionCommand = { debianDistributionId: number } & DistributionPlace &
  (
    | { type: 'CreateDebianDistribution'; codename: string; attributes: Wanted }
    /** Undefined keeps the current value. */
    | { type: 'UpdateDebianDistribution'; changes: Wanted }
    | { type: 'DeleteDebianDistribution' }
  );

export const distributionsStream = ({ projectId, groupId }: DistributionPlace): string =>
  projectId === null ? `debianDistributions-group-${groupId}` : `debianDistributions-project-${projectId}`;

/** A place has so many at most, since a stream holds all of them. */
export const MOST_DISTRIBUTIONS = 500;

const DEFAULTS: DistributionAttributes = {
  ...{ suite: null, origin: null, label: null, version: null, description: null },
  ...{ validTimeDurationSeconds: null, components: ['main'], architectures: ['amd64'] },
};

export const debianDistributionDecider: Decider<
  DistributionsState,
  DistributionCommand,
  DebianDistributionEvent
> = {
  initialState: new Map(),

  decide(command, state) {
    const { debianDistributionId, projectId, groupId } = command;
    const ids = { debianDistributionId, projectId, groupId };
    if (command.type === 'CreateDebianDistribution') {
      const { codename } = command;
      const attributes = settled({ ...DEFAULTS, ...given(command.attributes) });
      refuse({
        ...problemsOf(attributes, state, debianDistributionId),
        ...codenameProblems(codename, state),
      });
      if (state.size >= MOST_DISTRIBUTIONS)
        throw new Rejection('bad_request', {
          reason: `A project or group has ${MOST_DISTRIBUTIONS} Debian distributions at most`,
        });
      return [{ type: 'DebianDistributionCreated', data: { ...ids, codename, ...data(attributes) } }];
    }
    const present = state.get(debianDistributionId);
    if (!present) throw new Rejection('not_found', { what: 'Debian Distribution' });
    switch (command.type) {
      case 'UpdateDebianDistribution': {
        const { codename: _, ...current } = present;
        const wanted = settled({ ...current, ...given(command.changes) });
        refuse(problemsOf(wanted, state, debianDistributionId));
        const change = changesFrom(data(current), data(wanted));
        return change === null ? [] : [{ type: 'DebianDistributionUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteDebianDistribution':
        return [{ type: 'DebianDistributionDeleted', data: ids }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const next = new Map(state);
    const { debianDistributionId: id, projectId: _, groupId: __, ...data } = event.data;
    switch (event.type) {
      case 'DebianDistributionCreated':
        return next.set(id, data as { codename: string } & DistributionAttributes);
      case 'DebianDistributionUpdated': {
        const present = state.get(id);
        return present ? next.set(id, { ...present, ...event.data.changes }) : state;
      }
      case 'DebianDistributionDeleted':
        next.delete(id);
        return next;
      default:
        return event satisfies never;
    }
  },
};

const given = (wanted: Wanted): Partial<DistributionAttributes> =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));

/** An empty text is none. Lists are sets in their order, and every distribution has the architecture `all`. */
function settled(wanted: DistributionAttributes): DistributionAttributes {
  const { suite, origin, label, version, description } = wanted;
  const sorted = (names: readonly string[]) => [...new Set(names)].toSorted();
  return {
    ...wanted,
    suite: suite || null,
    origin: origin || null,
    label: label || null,
    version: version || null,
    description: description || null,
    components: sorted(wanted.components),
    architectures: sorted([...wanted.architectures, 'all']),
  };
}

const data = (attributes: DistributionAttributes) => ({
  ...attributes,
  components: [...attributes.components],
  architectures: [...attributes.architectures],
});

/** Names are parts of addresses and of files in which a line is a field. */
const NAME = /^[a-z0-9][a-z0-9.-]*$/i;
const COMPONENT = /^[a-z0-9][a-z0-9.-]*$/;
const ARCHITECTURE = /^[a-z0-9][a-z0-9-]*$/;
const CONTROL = /\p{Cc}/u;
const DAY_SECONDS = 86_400;

type Problems = Record<string, string[]>;

function problemsOf(attributes: DistributionAttributes, state: DistributionsState, ownId: number): Problems {
  const { suite, components, architectures, validTimeDurationSeconds: valid } = attributes;
  const problems: Problems = {};
  if (suite !== null && !NAME.test(suite)) problems.suite = ['is invalid'];
  else if (suite !== null && isTaken(suite, state, ownId)) problems.suite = ['has already been taken'];
  for (const field of ['origin', 'label', 'version'] as const)
    if (CONTROL.test(attributes[field] ?? '')) problems[field] = ['must be one line'];
  if (components.length === 0) problems.components = ["can't be blank"];
  else if (!components.every((name) => COMPONENT.test(name))) problems.components = ['is invalid'];
  if (!architectures.every((name) => ARCHITECTURE.test(name))) problems.architectures = ['is invalid'];
  if (valid !== null && valid < DAY_SECONDS)
    problems.valid_time_duration_seconds = [`must be greater than or equal to ${DAY_SECONDS}`];
  return problems;
}

function codenameProblems(codename: string, state: DistributionsState): Problems {
  if (codename === '') return { codename: ["can't be blank"] };
  if (!NAME.test(codename)) return { codename: ['is invalid'] };
  return isTaken(codename, state) ? { codename: ['has already been taken'] } : {};
}

function isTaken(name: string, state: DistributionsState, except?: number): boolean {
  for (const [id, { codename, suite }] of state)
    if (id !== except && (codename === name || suite === name)) return true;
  return false;
}

/** @throws 400 naming all fields */
function refuse(fields: Problems): void {
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

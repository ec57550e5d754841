import type { Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { PolicyStatus } from '@forgelog/eventing/policy.ts';
import type { ProjectorStatus } from '@forgelog/eventing/projection.ts';
import type { Metrics } from './metrics.ts';

export interface LagPorts {
  store: Pick<EventStore, 'head' | 'readAll'>;
  clock: () => Date;
  projections(): readonly ProjectorStatus[];
  policies(): readonly PolicyStatus[];
  feeds(): readonly FollowingFeed[];
}

export interface FollowingFeed {
  /** Left out for a subscriber that left. */
  feed?: string | undefined;
  /** The name that a subscriber gave itself, of a bounded set. */
  subscriber?: string | undefined;
  position: Position;
  /** What it follows instead of the log. */
  log?: LagPorts['store'] | undefined;
}

/**
 * The lag of log followers: the age of the oldest event that a follower has not processed, else 0. Computed at each
 * scrape, with one read for each distinct position.
 */
export function addLagMetrics(metrics: Metrics, ports: LagPorts): void {
  const lags = async (followers: readonly Follower[]) => {
    const lagsOfLog = lagsIn(ports.store, ports.clock);
    return Promise.all(
      followers.map(async ({ name, position, log }) => {
        const lagOf = log ? lagsIn(log, ports.clock) : lagsOfLog;
        return [[name], await lagOf(position)] as const;
      }),
    );
  };
  metrics.gauge(
    {
      name: 'forgelog_projection_lag_seconds',
      help: 'Age of the oldest event that the projection has not applied.',
      labels: ['projection'],
    },
    () => lags(ports.projections().map(({ projection, position }) => ({ name: projection, position }))),
  );
  metrics.gauge(
    {
      name: 'forgelog_projection_halted',
      help: 'Whether the projection stands still before an event that it cannot apply.',
      labels: ['projection'],
    },
    () => ports.projections().map(({ projection, halted }) => [[projection], halted ? 1 : 0]),
  );
  metrics.gauge(
    {
      name: 'forgelog_policy_lag_seconds',
      help: 'Age of the oldest event that the policy has not reacted to.',
      labels: ['policy'],
    },
    () => lags(ports.policies().map(({ policy, position }) => ({ name: policy, position }))),
  );
  metrics.gauge(
    {
      name: 'forgelog_policy_failed_attempts',
      help: 'How often the policy failed at the event at which it stands, 0 where it goes on.',
      labels: ['policy'],
    },
    () => ports.policies().map(({ policy, failing }) => [[policy], failing?.attempts ?? 0]),
  );
  metrics.gauge(
    {
      name: 'forgelog_feed_lag_seconds',
      help: 'Age of the oldest event that has not left through the feed; of event streams, through the slowest.',
      labels: ['feed'],
    },
    () => lags(slowest(named('feed', ports.feeds()))),
  );
  metrics.gauge(
    {
      name: 'forgelog_subscriber_lag_seconds',
      help: 'Age of the oldest event that a named subscriber of an event stream was not sent, for an hour after it left.',
      labels: ['subscriber'],
    },
    () => lags(slowest(named('subscriber', ports.feeds()))),
  );
}

interface Follower {
  name: string;
  position: Position;
  log?: LagPorts['store'] | undefined;
}

/** Reads the end of the log once, and each position once. */
function lagsIn(log: LagPorts['store'], clock: () => Date): (position: Position) => Promise<number> {
  const known = new Map<Position, Promise<number>>();
  let head: Promise<Position> | undefined;
  return async (position) => {
    head ??= Promise.resolve(log.head());
    if (position >= (await head)) return 0;
    const lag = known.get(position) ?? ageOfNext(position, log, clock);
    known.set(position, lag);
    return lag;
  };
}

const named = (by: 'feed' | 'subscriber', feeds: readonly FollowingFeed[]): Follower[] =>
  feeds.flatMap(({ [by]: name, position, log }) => (name === undefined ? [] : [{ name, position, log }]));

/** Each name once, at its slowest follower's position. */
function slowest(followers: readonly Follower[]): Follower[] {
  const found = new Map<string, Follower>();
  for (const follower of followers) {
    const known = found.get(follower.name);
    if (known === undefined || follower.position < known.position) found.set(follower.name, follower);
  }
  return [...found.values()];
}

async function ageOfNext(position: Position, log: LagPorts['store'], clock: () => Date): Promise<number> {
  const [next] = await log.readAll({ after: position, limit: 1 });
  return next ? Math.max(0, clock().getTime() - Date.parse(next.time)) / 1000 : 0;
}

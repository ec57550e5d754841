import type { Directory } from '@forgelog/directory/directory.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { ownerOf, projectIdOf } from '../access-log/access-records.ts';
import type { RequestRecord } from '../request-record.ts';
import { highest, RecentCounts } from './recent-counts.ts';

const SHOWN = 10;
const NAMED = 2 * SHOWN;
const WINDOW_MINUTES = 5;
const BOUNDS = { windowMs: WINDOW_MINUTES * 60_000, most: 500 };
const LONGEST_NAME = 255;
const ANONYMOUS = 'anonymous';
/** The answers to names that nobody has, or that the caller may not know. */
const STRANGE = [401, 404];

/** Shows who asks for most, and for which projects, by id. Returns what counts an answer. */
export function createBusiestMeter({
  metrics,
  directory,
  now,
}: {
  metrics: Metrics;
  directory: Directory;
  now: () => number;
}): (request: RequestRecord, status: number) => void {
  const users = new RecentCounts<number | typeof ANONYMOUS>(BOUNDS);
  const projects = new RecentCounts<string>(BOUNDS);
  metrics.gauge(
    {
      name: 'forgelog_busiest_users_requests',
      help: `Requests in the last ${WINDOW_MINUTES} minutes of the ${SHOWN} users with the most, by id.`,
      labels: ['user'],
    },
    () => highest(users.read(now()), SHOWN).map(([user, count]) => [[String(user)], count]),
  );
  metrics.gauge(
    {
      name: 'forgelog_busiest_projects_requests',
      help: `Requests in the last ${WINDOW_MINUTES} minutes to the ${SHOWN} projects with the most, by id.`,
      labels: ['project'],
    },
    async () => {
      const byId = new Map<number, number>();
      for (const [named, count] of highest(projects.read(now()), NAMED)) {
        const id = await projectIdOf(named, directory);
        if (id !== undefined) byId.set(id, (byId.get(id) ?? 0) + count);
      }
      return highest(byId, SHOWN).map(([id, count]) => [[String(id)], count]);
    },
  );
  return (request, status) => {
    const { principal } = request;
    const at = now();
    if (principal !== undefined)
      users.add(principal && !principal.deployToken ? ownerOf(principal) : ANONYMOUS, at);
    const named = projectNamed(request);
    if (named !== undefined && named.length <= LONGEST_NAME && !STRANGE.includes(status))
      projects.add(named, at);
  };
}

function projectNamed({ endpoint, git, pathParams }: RequestRecord): string | undefined {
  if (git) return git.project;
  return endpoint?.access.kind === 'project' ? pathParams?.[endpoint.access.param] : undefined;
}

import type { ReleaseEvent } from '@forgelog/contracts/repo/releases/release.events.ts';
import { describeRelease } from '@forgelog/contracts/repo/releases/release.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitNamed, shownCommit } from './commit-facts.ts';
import { type HookFacts, spokenTime } from './hook-facts.ts';

/** A release as it is now. Nothing of one that is gone. */
export async function releaseMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, ReleaseEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, releaseId } = event.data;
  const project = await facts.projectOf(projectId);
  const asked = { projectIds: [projectId], id: releaseId };
  const { release } = await ports.operations.call(describeRelease, asked, { principal: null });
  if (!project || !release) return [];
  const { id, description, name, tagName, url, links, sources } = release;
  const commit = await commitNamed(ports, projectId, `refs/tags/${tagName}`);
  const body = {
    object_kind: 'release',
    id,
    created_at: spokenTime(release.createdAt),
    description,
    name,
    released_at: spokenTime(release.releasedAt),
    tag: tagName,
    project: await facts.project(project),
    url,
    action: event.type === 'ReleaseCreated' ? 'create' : 'update',
    assets: {
      count: links.length + sources.length,
      links: links.map(({ linkType, ...link }) => ({ ...link, link_type: linkType })),
      sources,
    },
    commit: commit && shownCommit(facts, project, commit),
  };
  return [{ trigger: 'releases_events', projectId, branch: null, body: JSON.stringify(body) }];
}

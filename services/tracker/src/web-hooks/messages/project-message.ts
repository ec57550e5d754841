import type { ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { HIDDEN_EMAIL, type HookFacts } from './hook-facts.ts';
import { systemMessage, timesOf } from './system-message.ts';

/** A project that began, changed, moved or ended. */
export async function projectMessage(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, ProjectEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId } = event.data;
  const times = timesOf(event);
  if (event.type === 'ProjectDeleted') {
    const { fullPath, namespaceId } = event.data as { fullPath: string; namespaceId: number };
    const path = fullPath.slice(fullPath.lastIndexOf('/') + 1);
    // Nothing else knows the name of one that is gone.
    const gone = { name: path, path, path_with_namespace: fullPath, project_id: projectId };
    return [
      systemMessage({ event_name: 'project_destroy', ...times, ...gone, project_namespace_id: namespaceId }),
    ];
  }
  const project = await facts.projectOf(projectId);
  if (!project) return [];
  const owner = await ownerOf(facts, project);
  const above = project.fullPath.slice(0, project.fullPath.lastIndexOf('/') + 1);
  const old = previousPathOf(event);
  const from = event.type === 'ProjectTransferred' ? await placeBefore(facts, event) : above;
  const body = {
    event_name: nameOf(event.type, old),
    ...times,
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    project_id: projectId,
    project_namespace_id: project.namespaceId,
    project_visibility: project.visibility,
    owner_name: owner,
    owner_email: HIDDEN_EMAIL,
    owners: owner === null ? [] : [{ name: owner, email: HIDDEN_EMAIL }],
    ...((old !== undefined || event.type === 'ProjectTransferred') && {
      old_path_with_namespace: from === null ? null : from + (old ?? project.path),
    }),
  };
  return [systemMessage(body)];
}

function nameOf(type: string, old: string | undefined): string {
  if (type === 'ProjectCreated') return 'project_create';
  if (type === 'ProjectTransferred') return 'project_transfer';
  return old === undefined ? 'project_update' : 'project_rename';
}

function previousPathOf({ data }: RecordedEvent<string, ProjectEvent['data']>): string | undefined {
  const { previous } = data as { previous?: { path?: string } | null };
  return previous?.path;
}

/** The path of the namespace that a project left, with a slash; null for one that is gone. */
async function placeBefore(
  facts: HookFacts,
  { data }: RecordedEvent<string, object>,
): Promise<string | null> {
  const { previous } = data as { previous?: { namespaceId?: number } | null };
  const before = previous?.namespaceId === undefined ? undefined : await facts.groupOf(previous.namespaceId);
  return before ? `${before.fullPath}/` : null;
}

async function ownerOf(
  facts: HookFacts,
  { ownerId, namespaceId }: { ownerId: number | null; namespaceId: number },
): Promise<string | null> {
  if (ownerId !== null) return (await facts.user(ownerId))?.name ?? null;
  return (await facts.groupOf(namespaceId))?.name ?? null;
}

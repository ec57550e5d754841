import type { EventOf } from '@forgelog/contracts/event.ts';
import { describePush, PUSH_TOLD } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { shownCommit } from './commit-facts.ts';
import { HIDDEN_EMAIL, type HookFacts } from './hook-facts.ts';

type Push = EventOf<typeof PushReceived>['data'];

/** A push of more refs is not told of [companions 4]. */
const MOST_REFS = 3;
const ABSENT = /^0+$/;
const REF = /^refs\/(heads|tags)\/(.+)$/;

/** A message for each branch and tag that a push moved. */
export async function pushMessages(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, Push>,
): Promise<HookMessage[]> {
  const { projectId, refs, refCount, pushOptions } = event.data;
  const found = await facts.projectOf(projectId);
  if (refCount > MOST_REFS || !found) return [];
  const project = await facts.project(found);
  const actor = await facts.user(facts.actorOf(event));
  const messages: HookMessage[] = [];
  for (const { ref, oldOid, newOid, commitCount } of refs) {
    const [, kind, name] = REF.exec(ref) ?? [];
    if (kind === undefined || name === undefined) continue;
    const isTag = kind === 'tags';
    const limit = Math.min(PUSH_TOLD.commits, isTag || ABSENT.test(newOid) ? 0 : commitCount);
    const told = await ports.operations.call(
      describePush,
      { projectId, ref, oldOid, newOid, limit },
      { principal: null },
    );
    const event_name = isTag ? 'tag_push' : 'push';
    const body = {
      object_kind: event_name,
      event_name,
      before: oldOid,
      after: newOid,
      ref,
      checkout_sha: told.checkoutSha,
      message: told.message,
      user_id: actor?.id ?? null,
      user_name: actor?.name ?? '',
      user_username: actor?.username ?? '',
      user_email: HIDDEN_EMAIL,
      user_avatar: actor?.avatar_url ?? null,
      project_id: projectId,
      project,
      // Oldest first, as people read them.
      commits: told.commits.toReversed().map(({ commit, added, modified, removed }) => ({
        ...shownCommit(facts, found, commit),
        ...{ added, modified, removed },
      })),
      total_commits_count: isTag || ABSENT.test(newOid) ? 0 : commitCount,
      push_options: optionsOf(pushOptions),
      repository: facts.pushedRepository(project),
    };
    messages.push({
      trigger: isTag ? 'tag_push_events' : 'push_events',
      projectId,
      branch: isTag ? null : name,
      body: JSON.stringify(body),
    });
  }
  return messages;
}

/** A push with all refs that it moved, for hooks of the instance. */
export async function repositoryUpdateMessage(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, Push>,
): Promise<HookMessage[]> {
  const { projectId, refs } = event.data;
  const found = await facts.projectOf(projectId);
  if (!found) return [];
  const actor = await facts.user(facts.actorOf(event));
  const body = {
    event_name: 'repository_update',
    user_id: actor?.id ?? null,
    user_name: actor?.name ?? '',
    user_email: HIDDEN_EMAIL,
    user_avatar: actor?.avatar_url ?? null,
    project_id: projectId,
    project: await facts.project(found),
    changes: refs.map(({ ref, oldOid, newOid }) => ({ before: oldOid, after: newOid, ref })),
    refs: refs.map(({ ref }) => ref),
  };
  return [{ trigger: 'repository_update_events', projectId, branch: null, body: JSON.stringify(body) }];
}

/** `ci.skip` and `ci.variable=A=1` as an object of objects. Values of variables are no business of receivers. */
function optionsOf(options: readonly string[]): Record<string, Record<string, unknown>> {
  const told: Record<string, Record<string, unknown>> = {};
  for (const option of options) {
    const [, scope, name, value] = /^([a-z_]+)\.([a-z_]+)(?:=(.*))?$/s.exec(option) ?? [];
    if (scope === undefined || name === undefined || name === 'variable') continue;
    told[scope] = { ...told[scope], [name]: value ?? true };
  }
  return told;
}

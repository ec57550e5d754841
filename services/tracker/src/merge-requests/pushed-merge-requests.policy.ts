import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { describeCommits } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { branchKey } from './branch-tips.collection.ts';
import { mergeCommandsFor } from './merge.commands.ts';
import { mergeRequestCommandsFor } from './merge-request.commands.ts';
import { isThere, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { type PushWishes, pushWishes } from './push-options.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

const DEVELOPER = 30;
const BRANCHES = 'refs/heads/';
/** Branches of one push that get a merge request, the first ones; as upstream. */
const MOST_BRANCHES = 10;
/** An older push opens none: a policy that starts for the first time reads the whole log. */
const MOST_AGE_MS = 24 * 60 * 60_000;
const MOST_REQUESTS = 100;

interface Pushed {
  grant: ProjectGrant;
  caller: Principal;
  branch: string;
  sha: string;
  wishes: PushWishes;
  metadata: EventMetadata;
}

/** Opens and changes merge requests by the options of a push (`git push -o merge_request.create`). */
export function pushedMergeRequests(ports: ServicePorts): Policy[] {
  const { clock, directory, log, operations, readStore } = ports;
  const { create, update } = mergeRequestCommandsFor(ports);
  const { setAutoMerge } = mergeCommandsFor(ports);
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));

  async function openOnes(projectId: number, branch: string, target: string | undefined) {
    const where = and(
      eq('source', branchKey(projectId, branch)),
      eq('state', 'opened'),
      ...(target === undefined ? [] : [eq('targetBranch', target)]),
    );
    return (await readStore.find(mergeRequests, { where, limit: MOST_REQUESTS })).filter(isThere);
  }

  async function assigneesOf(names: readonly string[]): Promise<number[]> {
    const found = names.map(async (name) =>
      /^\d+$/.test(name) ? Number(name) : (await directory.userByName(name.replace(/^@/, '')))?.id,
    );
    return (await Promise.all(found)).filter((id) => id !== undefined);
  }

  async function titleOf({ grant, caller, branch, sha }: Pushed): Promise<string> {
    const asked = { projectId: grant.project.id, shas: [sha] };
    const { commits } = await operations.call(describeCommits, asked, { principal: caller });
    return commits[0]?.title || branch;
  }

  const titled = ({ draft }: PushWishes, title: string) => (draft ? `Draft: ${title}` : title);

  async function contentOf({ description, squash, removeSourceBranch, assignees }: PushWishes) {
    return {
      ...(description !== undefined && { description }),
      ...(squash !== undefined && { squash }),
      ...(removeSourceBranch !== undefined && { remove_source_branch: removeSourceBranch }),
      ...(assignees.length > 0 && { assignee_ids: await assigneesOf(assignees) }),
    };
  }

  async function open(pushed: Pushed): Promise<void> {
    const { grant, caller, branch, wishes, metadata } = pushed;
    const target = wishes.target ?? grant.project.defaultBranch;
    if (target === null || grant.level < DEVELOPER || grant.project.readOnly) return;
    const labels = wishes.labels.length > 0 ? { labels: [...wishes.labels] } : {};
    const given = {
      title: titled(wishes, wishes.title ?? (await titleOf(pushed))),
      ...{ source_branch: branch, target_branch: target, ...labels, ...(await contentOf(wishes)) },
    };
    const { project, iid } = await create(given, grant, caller, metadata);
    if (wishes.mergeWhenPipelineSucceeds) await mergeLater(project.project.id, iid, pushed);
  }

  /** Its pipeline may not be there yet: the first one of this commit that succeeds merges it. */
  async function mergeLater(
    projectId: number,
    iid: number,
    { caller, sha, metadata }: Pushed,
  ): Promise<void> {
    const row = await readStore.get(mergeRequests, placeOf(projectId, iid)!);
    if (!isThere(row) || row.sha !== sha || !(await shown.detailOf(row, caller)).mayMerge) return;
    const { squash, removeSourceBranch } = row;
    const messages = { mergeMessage: null, squashMessage: null };
    await setAutoMerge({ projectId, iid, sha, squash, removeSourceBranch, ...messages }, caller, metadata);
  }

  async function change(row: MergeRequest, pushed: Pushed): Promise<void> {
    const { grant, caller, wishes, metadata } = pushed;
    const title = wishes.title ?? (wishes.draft && !row.draft ? row.title : undefined);
    const given = {
      ...(title !== undefined && { title: titled(wishes, title) }),
      ...{ add_labels: [...wishes.labels], remove_labels: [...wishes.unlabels] },
      ...(await contentOf(wishes)),
    };
    await update(given, row, grant, caller, metadata);
    if (wishes.mergeWhenPipelineSucceeds) await mergeLater(row.projectId, row.iid, pushed);
  }

  async function follow(pushed: Pushed): Promise<void> {
    const { grant, branch, wishes } = pushed;
    const projectId = grant.project.id;
    const rows = await openOnes(projectId, branch, wishes.target);
    // A second run finds what the first one has opened.
    if (rows.length === 0 && wishes.create) return open(pushed);
    for (const row of rows) if (row.projectId === projectId) await change(row, pushed);
  }

  return [
    definePolicy({
      name: 'pushed-merge-requests',
      handles: [PushReceived],
      actsAs: 'actor',
      async react({ data, time, metadata: by }, { metadata, signal }) {
        const wishes = pushWishes(data.pushOptions);
        if (!wishes || clock().getTime() - Date.parse(time) > MOST_AGE_MS) return;
        const caller = by.actorId === null ? undefined : await actingUser(directory, by.actorId);
        const project = await directory.project(data.projectId);
        const grant = caller && project && (await grantProject(project, caller, directory));
        if (!caller || !grant?.can('merge_requests')) return;
        for (const { ref, newOid: sha } of branchesOf(data)) {
          if (signal.aborted) return;
          const branch = ref.slice(BRANCHES.length);
          await follow({ grant, caller, branch, sha, wishes, metadata }).catch((error: unknown) => {
            if (!(error instanceof Rejection) || error.status >= 500) throw error;
            log.debug({ projectId: data.projectId, ref, reason: error.body }, 'no merge request for a push');
          });
        }
      },
    }),
  ];
}

const branchesOf = ({ refs }: EventOf<typeof PushReceived>['data']) =>
  refs.filter(({ kind, change }) => kind === 'branch' && change !== 'deleted').slice(0, MOST_BRANCHES);

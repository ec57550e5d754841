import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { prepareSource } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type {
  createMergeRequest,
  updateMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import { grantProject, isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { type LabelWishes, labelsAfter, NO_WISHES } from '../labels/given-labels.rules.ts';
import { labelWishes } from '../labels/label.commands.ts';
import { givenMilestone } from '../milestones/given-milestone.query.ts';
import { readActions, withWishes } from '../quick-actions/read-actions.ts';
import { assignable } from '../targets/assignable.ts';
import type { TimeCommand } from '../time-tracking/time-tracking.decider.ts';
import { type Branches, branchPairs } from './branch-pairs.ts';
import { REPORTER } from './merge-request.access.ts';
import {
  type MergeRequestCommand,
  type MergeRequestContent,
  mergeRequestDecider,
  mergeRequestStream,
  type Tips,
} from './merge-request.decider.ts';
import { type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeSettingsOf, squashOf } from './merge-settings.projection.ts';

const DEVELOPER = 30;
const OWNER = 50;

/** Tips of branches that are not asked for yet. */
const UNKNOWN: Tips = { sourceSha: '', targetSha: '' };

type Created = ParamsOf<typeof createMergeRequest>;
type Updated = ParamsOf<typeof updateMergeRequest>;
type Wanted<P, Needed extends keyof P = never> = Pick<P, Needed> & Partial<Omit<P, 'id' | Needed>>;
type Creation = Wanted<Created, 'title' | 'source_branch' | 'target_branch'>;
type Update = Wanted<Updated>;
type Given = Creation | Update;

/** What callers do to merge requests. */
function mergeRequestCommands(ports: ServicePorts) {
  const { commands, ids, readStore, directory, operations, configuration } = ports;
  const numbers = createProjectNumbers(readStore, mergeRequests, 'merge request');
  const pairs = branchPairs(ports);
  const edition = configuration.EDITION;

  /** @throws 400 where a branch does not exist */
  async function tipsOfBranches(branches: Branches, principal: Principal): Promise<Tips> {
    const { projectId, sourceProjectId, sourceBranch, targetBranch } = branches;
    const asked = { projectId, sourceProjectId, sourceBranch, targetBranch };
    const answer = await operations.call(prepareSource, asked, { principal });
    if ('refused' in answer) {
      if (answer.refused === 'other storage')
        throw new Rejection('branches_refused', {
          problems: ['The two projects are on different storages'],
        });
      throw new Rejection('not_found', { what: 'Project' });
    }
    const { sourceSha, targetSha } = answer;
    const fields = {
      ...(sourceSha === null && { source_branch: ['does not exist'] }),
      ...(targetSha === null && { target_branch: ['does not exist'] }),
    };
    if (sourceSha === null || targetSha === null) throw new Rejection('validation_failed', { fields });
    return { sourceSha, targetSha };
  }

  const changed = (
    { projectId, iid }: Pick<MergeRequest, 'projectId' | 'iid'>,
    caller: Principal,
    metadata: EventMetadata,
    update: Partial<Extract<MergeRequestCommand, { type: 'UpdateMergeRequest' }>>,
  ) =>
    commands.handle(
      mergeRequestDecider,
      mergeRequestStream(projectId, iid),
      {
        ...{ type: 'UpdateMergeRequest', projectId, iid, changes: {}, labels: NO_WISHES },
        ...{ stateEvent: null, tips: null, updatedAt: null, times: [] },
        ...{ actor: { userId: caller.userId, level: OWNER }, ...update },
      },
      metadata,
    );

  /** What the parameters of create and update share; undefined is left as it is. */
  async function contentOf(
    params: Given,
    projectId: number,
    isPlanner: boolean,
  ): Promise<Partial<MergeRequestContent>> {
    const { description, remove_source_branch: removeSourceBranch, squash } = params;
    const allowCollaboration = params.allow_collaboration ?? params.allow_maintainer_to_push;
    return {
      ...(description !== undefined && { description }),
      ...(removeSourceBranch !== undefined && { removeSourceBranch }),
      ...(squash !== undefined && { squash: await squashAs(projectId, squash) }),
      ...(allowCollaboration !== undefined && { allowCollaboration }),
      ...(isPlanner && (await planning(params, projectId))),
    };
  }

  async function planning(params: Given, projectId: number): Promise<Partial<MergeRequestContent>> {
    const milestoneId = await givenMilestone(ports, projectId, params.milestone_id);
    const { reviewer_ids: reviewers } = params;
    const assignees =
      params.assignee_ids ?? (params.assignee_id === undefined ? undefined : [params.assignee_id ?? 0]);
    const place = { projectId, feature: 'merge_requests' } as const;
    // The community edition knows one of each.
    const fewest = (found: number[]) => (edition === 'free' ? found.slice(0, 1) : found);
    return {
      ...(milestoneId !== undefined && { milestoneId }),
      ...(assignees && { assigneeIds: fewest(await assignable(directory, place, assignees)) }),
      ...(reviewers && { reviewerIds: fewest(await assignable(directory, place, reviewers)) }),
    };
  }

  async function squashAs(projectId: number, wanted: boolean | undefined): Promise<boolean> {
    return squashOf(await mergeSettingsOf(readStore, projectId), wanted);
  }

  async function grantOf(projectId: number, caller: Principal): Promise<ProjectGrant | undefined> {
    const project = await directory.project(projectId);
    return project && grantProject(project, caller, directory);
  }

  /** Whether the caller, who may push to the source project, may let others push there: it must be a fork. */
  async function mayOpenSource({ sourceProjectId, projectId }: MergeRequest, caller: Principal) {
    if (sourceProjectId === projectId) return false;
    const source = await grantOf(sourceProjectId, caller);
    return source !== undefined && source.level >= DEVELOPER;
  }

  /** The project that is merged into, where the caller may open merge requests. */
  async function targetOf(source: ProjectGrant, id: number | undefined, caller: Principal) {
    const target = id === undefined ? source : await grantOf(id, caller);
    if (!target) throw new Rejection('not_found', { what: 'Project' });
    const { project, level, can } = target;
    const isOpen = isOpenTo(project.visibility, caller) || level >= DEVELOPER;
    if (!can('merge_requests') || project.readOnly || !isOpen) throw new Rejection('forbidden', {});
    return target;
  }

  /** What a new merge request is to be, after the commands in its text. */
  async function wantedOf(
    given: Creation,
    sourceProjectId: number,
    { project, level }: ProjectGrant,
    caller: Principal,
  ): Promise<{ params: Creation; times: readonly TimeCommand[] }> {
    const { title, description, source_branch: sourceBranch, target_branch: targetBranch } = given;
    if (!description) return { params: given, times: [] };
    const none = {
      ...{ labelIds: [], assigneeIds: [], reviewerIds: [], milestoneId: null },
      ...{ timeEstimate: 0, timeSpent: 0 },
    };
    const subject = {
      ...{ type: 'MergeRequest' as const, projectId: project.id, isNew: true, authorId: caller.userId },
      ...{ state: 'opened', title, discussionLocked: false, sourceProjectId, sourceBranch, targetBranch },
      ...none,
    };
    const reading = await readActions(ports, description, subject, { caller, level });
    const { add_labels, remove_labels: _, ...params } = withWishes(given, reading);
    return { params: { ...params, labels: [...(params.labels ?? []), ...add_labels] }, times: reading.times };
  }

  return {
    /** @returns the grant of the project that it is in, and its number there */
    async create(
      given: Creation,
      source: ProjectGrant,
      caller: Principal,
      metadata: EventMetadata,
    ): Promise<{ project: ProjectGrant; iid: number }> {
      const target = await targetOf(source, given.target_project_id, caller);
      const { params, times } = await wantedOf(given, source.project.id, target, caller);
      const projectId = target.project.id;
      const { title, approvals_before_merge: approvals } = params;
      const branches = {
        projectId,
        sourceProjectId: source.project.id,
        sourceBranch: params.source_branch,
        targetBranch: params.target_branch,
      };
      const content = {
        ...{ title, description: null, assigneeIds: [], reviewerIds: [], milestoneId: null },
        ...{ removeSourceBranch: false, allowCollaboration: false },
        squash: await squashAs(projectId, undefined),
        approvalsBeforeMerge: (edition !== 'free' && approvals) || null,
        ...(await contentOf(params, projectId, target.level >= REPORTER)),
      };
      // Only who may push to a fork lets others push there.
      if (source.project.id === projectId || source.level < DEVELOPER) content.allowCollaboration = false;
      const commandFor = (mergeRequestId: number, iid: number, tips: Tips, wishes: LabelWishes) => ({
        type: 'CreateMergeRequest' as const,
        ...{ mergeRequestId, iid, ...branches, ...tips, ...content },
        ...labelsAfter({ labelIds: [], labels: [] }, wishes),
        authorId: caller.userId,
        createdAt: null,
        times,
      });
      // What is invalid asks no repository and takes no id.
      const refuse = (wishes: LabelWishes) =>
        mergeRequestDecider.decide(commandFor(0, 0, UNKNOWN, wishes), mergeRequestDecider.initialState);
      refuse(NO_WISHES);
      const tips = await tipsOfBranches(branches, caller);
      const asked = { labels: target.level >= REPORTER ? params.labels : [] };
      const labels = await labelWishes(
        ports,
        { place: { projectId, groupId: null }, target: null },
        asked,
        metadata,
        refuse,
      );
      const iid = await pairs.open(branches, {
        open: async (numberIsTaken) => {
          const id = await ids.next('mergeRequest');
          return numbers.withNext(projectId, async (next) => {
            const stream = mergeRequestStream(projectId, next);
            const command = commandFor(id, next, tips, labels);
            await commands
              .handle(mergeRequestDecider, stream, command, metadata, { mustBeNew: true })
              .catch((error) => numberIsTaken(next, error));
            return next;
          });
        },
        giveUp: (next) => changed({ projectId, iid: next }, caller, metadata, { stateEvent: 'close' }),
      });
      return { project: target, iid };
    },

    async update(
      params: Update,
      row: MergeRequest,
      { level }: ProjectGrant,
      caller: Principal,
      metadata: EventMetadata,
      times: readonly TimeCommand[] = [],
    ): Promise<void> {
      const { projectId, iid } = row;
      const { title, target_branch: targetBranch, discussion_locked: locked } = params;
      const changes: Partial<MergeRequestContent> = {
        ...(title !== undefined && { title }),
        ...(targetBranch !== undefined && { targetBranch }),
        ...(locked !== undefined && { discussionLocked: locked ?? false }),
        ...(await contentOf(params, projectId, level >= REPORTER)),
      };
      if (changes.allowCollaboration !== undefined && !(await mayOpenSource(row, caller)))
        delete changes.allowCollaboration;
      const branches = { ...row, targetBranch: targetBranch ?? row.targetBranch };
      const retargets = branches.targetBranch !== row.targetBranch;
      const reopens = params.state_event === 'reopen' && row.state === 'closed';
      const tips = retargets || reopens ? await tipsOfBranches(branches, caller) : null;
      const update = {
        ...{ changes, times },
        actor: { userId: caller.userId, level },
        stateEvent: params.state_event ?? null,
        updatedAt: (level >= OWNER && params.updated_at) || null,
      };
      const refuse = async (labels: LabelWishes) => {
        const { state } = await commands.load(mergeRequestDecider, mergeRequestStream(projectId, iid));
        const command = { type: 'UpdateMergeRequest' as const, projectId, iid, ...update };
        mergeRequestDecider.decide({ ...command, tips: tips ?? UNKNOWN, labels }, state);
      };
      const target = async () => row;
      const labels =
        level >= REPORTER
          ? await labelWishes(
              ports,
              { place: { projectId, groupId: null }, target },
              params,
              metadata,
              refuse,
            )
          : NO_WISHES;
      const change = () => changed(row, caller, metadata, { ...update, tips, labels });
      if (!reopens && !(retargets && row.state === 'opened')) return void (await change());
      await pairs.open(branches, {
        open: async () => {
          await change();
          return iid;
        },
        giveUp: async () => {
          if (!reopens) await changed(row, caller, metadata, backTo(row));
          const isRival = reopens || (await readStore.get(mergeRequests, row.place))?.rivalIid;
          if (isRival) await changed(row, caller, metadata, { stateEvent: 'close' });
        },
      });
    },
  };
}

const backTo = ({ targetBranch, sha: sourceSha, startSha: targetSha }: MergeRequest) => ({
  changes: { targetBranch },
  tips: { sourceSha, targetSha },
});

type MergeRequestCommands = ReturnType<typeof mergeRequestCommands>;

const byPorts = new WeakMap<object, MergeRequestCommands>();

/** One for routes and policies, so that neither opens what the other one is opening. */
export function mergeRequestCommandsFor(ports: ServicePorts): MergeRequestCommands {
  const known = byPorts.get(ports) ?? mergeRequestCommands(ports);
  byPorts.set(ports, known);
  return known;
}

import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { createIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { givenEpic } from '../epics/epics-of-issues.query.ts';
import { givenIteration } from '../iterations/iterations-of-issues.query.ts';
import { type LabelWishes, labelsAfter, NO_WISHES } from '../labels/given-labels.rules.ts';
import { labelWishes } from '../labels/label.commands.ts';
import { givenMilestone } from '../milestones/given-milestone.query.ts';
import { readActions, withWishes } from '../quick-actions/read-actions.ts';
import { assignable } from '../targets/assignable.ts';
import type { TimeCommand } from '../time-tracking/time-tracking.decider.ts';
import { REPORTER } from './issue.access.ts';
import { type IssueContent, issueDecider, issueStream } from './issue.decider.ts';
import { issues } from './issues.collection.ts';

const OWNER = 50;

type Created = ParamsOf<typeof createIssue>;
type Updated = Partial<Omit<ParamsOf<typeof updateIssue>, 'id' | 'issue_iid'>>;
type Planned = Pick<Updated, 'milestone_id' | 'due_date' | 'weight' | 'assignee_ids' | 'assignee_id'>;

/** The caller, and through what they call. */
export interface By {
  caller: Principal;
  metadata: EventMetadata;
}

/** What callers do to issues. */
function issueCommands(ports: ServicePorts) {
  const { commands, ids, readStore, directory, configuration } = ports;
  const numbers = createProjectNumbers(readStore, issues, 'issue');
  const edition = configuration.EDITION;

  /**
   * What only Reporters set, from the parameters that create and update share; undefined is left as it is.
   */
  async function planning(params: Planned, projectId: number): Promise<Partial<IssueContent>> {
    const milestoneId = await givenMilestone(ports, projectId, params.milestone_id);
    const { due_date: dueDate, weight } = params;
    const assignees =
      params.assignee_ids ?? (params.assignee_id === undefined ? undefined : [params.assignee_id ?? 0]);
    const found = assignees && (await assignable(directory, { projectId, feature: 'issues' }, assignees));
    return {
      ...(milestoneId !== undefined && { milestoneId }),
      ...(dueDate !== undefined && { dueDate }),
      ...(weight !== undefined && edition !== 'free' && { weight }),
      // The community edition knows one assignee.
      ...(found && { assigneeIds: edition === 'free' ? found.slice(0, 1) : found }),
    };
  }

  /** Undefined where it stays in the epic that it is in. */
  const epicOf = async (
    given: number | null | undefined,
    { project: { id }, level }: ProjectGrant,
    caller: Principal,
  ) => (level >= REPORTER && edition === 'ultimate' ? givenEpic(ports, id, given, caller) : undefined);

  /** Undefined where it stays in the iteration that it is in. */
  const iterationOf = async (given: number | null | undefined, { project: { id }, level }: ProjectGrant) =>
    level >= REPORTER && edition !== 'free' ? givenIteration(ports, id, given) : undefined;

  /** What a new issue is to be, after the commands in its text. */
  async function wantedOf(
    given: Created,
    projectId: number,
    { caller, level }: { caller: Principal; level: number },
  ) {
    const { description, title, confidential = false } = given;
    if (!description) return { params: given, times: [] };
    const none = {
      labelIds: [],
      assigneeIds: [],
      milestoneId: null,
      iterationId: null,
      discussionLocked: false,
      timeEstimate: 0,
      timeSpent: 0,
    };
    const subject = {
      ...{ type: 'Issue' as const, projectId, isNew: true, authorId: caller.userId, state: 'opened' },
      ...{ title, confidential, dueDate: null, weight: null, ...none },
    };
    const reading = await readActions(ports, description, subject, { caller, level });
    const params = withWishes(given, reading);
    const labels = [...(params.labels ?? []), ...params.add_labels];
    return { params: { ...params, labels }, times: reading.times };
  }

  return {
    numbers,

    /** @returns its number */
    async create(asked: Created, project: ProjectGrant, { caller, metadata }: By): Promise<number> {
      const projectId = project.project.id;
      const { level } = project;
      const { params, times } = await wantedOf(asked, projectId, { caller, level });
      const content = {
        title: params.title,
        description: params.description ?? null,
        issueType: params.issue_type ?? 'issue',
        confidential: params.confidential ?? false,
        assigneeIds: [],
        milestoneId: null,
        dueDate: null,
        weight: null,
        ...(level >= REPORTER ? await planning(params, projectId) : {}),
      };
      const epic = await epicOf(asked.epic_id, project, caller);
      const iterationId = (await iterationOf(params.iteration_id, project)) ?? null;
      const isOwner = level >= OWNER;
      const commandFor = (issueId: number, iid: number, wishes: LabelWishes) => ({
        type: 'OpenIssue' as const,
        ...{ issueId, projectId, iid, times, ...(epic && { epic }), iterationId },
        content: { ...content, ...labelsAfter({ labelIds: [], labels: [] }, wishes) },
        authorId: caller.userId,
        createdAt: (isOwner && params.created_at) || null,
      });
      const refuse = (wishes: LabelWishes) =>
        issueDecider.decide(commandFor(0, 0, wishes), issueDecider.initialState);
      const given = { labels: level >= REPORTER ? params.labels : [] };
      const labels = await labelWishes(
        ports,
        { place: { projectId, groupId: null }, confidential: content.confidential, target: null },
        given,
        metadata,
        refuse,
      );
      // What is invalid takes no id.
      refuse(labels);
      const issueId = await ids.next('issue');
      const open = (iid: number) =>
        commands.handle(
          issueDecider,
          issueStream(projectId, iid),
          commandFor(issueId, iid, labels),
          metadata,
          {
            mustBeNew: true,
          },
        );
      const iid = isOwner ? params.iid : undefined;
      if (iid === undefined)
        return numbers.withNext(projectId, async (next) => {
          await open(next);
          return next;
        });
      await open(iid).catch((error: unknown) => {
        throw error instanceof ConflictError
          ? new Rejection('conflict', { message: 'Duplicated issue' })
          : error;
      });
      await numbers.taken(projectId, iid);
      return iid;
    },

    /** One append. @param times bookings besides */
    async update(
      params: Updated,
      iid: number,
      project: ProjectGrant,
      { caller, metadata }: By,
      times: readonly TimeCommand[] = [],
    ): Promise<void> {
      const projectId = project.project.id;
      const { level } = project;
      const { title, description, issue_type: issueType, confidential, discussion_locked: locked } = params;
      const changes: Partial<IssueContent> = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(issueType && { issueType }),
        ...(confidential !== undefined && { confidential }),
        ...(locked !== undefined && { discussionLocked: locked ?? false }),
        ...(level >= REPORTER ? await planning(params, projectId) : {}),
      };
      const epic = await epicOf(params.epic_id, project, caller);
      const iterationId = await iterationOf(params.iteration_id, project);
      const stream = issueStream(projectId, iid);
      const commandFor = (labels: LabelWishes) => ({
        type: 'UpdateIssue' as const,
        ...{ projectId, iid, changes, labels, times, epic, iterationId },
        actor: { userId: caller.userId, level },
        stateEvent: params.state_event ?? null,
        updatedAt: (level >= OWNER && params.updated_at) || null,
      });
      const labels =
        level >= REPORTER
          ? await labelWishes(
              ports,
              {
                place: { projectId, groupId: null },
                confidential,
                target: () => readStore.get(issues, placeOf(projectId, iid)!),
              },
              params,
              metadata,
              async (wishes) => {
                const { state } = await commands.load(issueDecider, stream);
                issueDecider.decide(commandFor(wishes), state);
              },
            )
          : NO_WISHES;
      await commands.handle(issueDecider, stream, commandFor(labels), metadata);
    },
  };
}

type IssueCommands = ReturnType<typeof issueCommands>;

const byPorts = new WeakMap<object, IssueCommands>();

/** One for all who change issues, so that numbers are given by one. */
export function issueCommandsFor(ports: ServicePorts): IssueCommands {
  const known = byPorts.get(ports) ?? issueCommands(ports);
  byPorts.set(ports, known);
  return known;
}

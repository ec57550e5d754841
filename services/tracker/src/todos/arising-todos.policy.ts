import { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { DiscussionStarted, NoteAdded } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { IssueClosed, IssueOpened, IssueUpdated } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestApproved,
  MergeRequestAutoMergeCanceled,
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestMerged,
  MergeRequestMergeFailed,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { TodoAction } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { approvalStatesFor } from '../approval-rules/approval-states.query.ts';
import { branchKey } from '../merge-requests/branch-tips.collection.ts';
import { isThere, type MergeRequest, mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import { type News, newsOf } from '../notifications/news.ts';
import { pipelineResults } from '../notifications/pipeline-results.projection.ts';
import { readableNews } from '../notifications/readable-news.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import { todosOf } from './arising-todos.ts';
import { todoDecider, todoStream } from './todo.decider.ts';

/** Merge requests of one branch that a failed pipeline gives somebody to do; more are not open for one commit. */
const MOST_REQUESTS = 100;

/** Lets to-do items arise from what happens, and end with what their owners do about it. */
export function arisingTodoPolicies(ports: ServicePorts): Policy[] {
  const { commands, directory, ids, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const approvalStates = approvalStatesFor(ports);

  async function create(
    { userId, action, news, authorId }: { userId: number; action: TodoAction; news: News; authorId: number },
    event: RecordedEvent,
    { metadata }: Reaction,
  ): Promise<void> {
    const { id: targetId, iid: targetIid, type: targetType, projectId } = news.target!;
    const user = await directory.user(userId);
    if (user?.state !== 'active' || user.bot) return;
    const readable = await readableNews(ports, authorizer, userId, news);
    if (!readable?.row) return;
    const stream = todoStream(userId, targetType, targetId);
    const { state } = await commands.load(todoDecider, stream);
    if (state.status === 'pending') return;
    const todoId = await ids.next('todo');
    const about = { projectId, targetType, targetId, targetIid, body: readable.row.title };
    const todo = { todoId, userId, authorId, action, ...about };
    // An item that its owner has finished does not arise again when a restart repeats the reaction.
    await commands.handle(todoDecider, stream, { type: 'CreateTodo', todo }, metadata, {
      operationId: event.id,
    });
  }

  async function finish(
    userId: number,
    { type, id }: Pick<TargetRef, 'type' | 'id'>,
    event: RecordedEvent,
    { metadata }: Reaction,
    only?: TodoAction,
  ): Promise<void> {
    const stream = todoStream(userId, type, id);
    const { state } = await commands.load(todoDecider, stream);
    if (state.status !== 'pending' || (only !== undefined && state.action !== only)) return;
    const command = { type: 'FinishTodo', todoId: state.todoId, userId } as const;
    await commands.handle(todoDecider, stream, command, metadata, { operationId: event.id });
  }

  /** News of a merge request that nobody in particular did. */
  function newsOfRequest({ id, projectId, iid }: MergeRequest): News {
    const target = { type: 'MergeRequest' as const, id, projectId, iid };
    return {
      ...{ thread: `MergeRequest-${id}`, projectId, groupId: null, target, noteId: null, actorId: null },
      ...{
        custom: null,
        begins: false,
        says: { did: 'opened' },
        named: new Map(),
        mentions: [],
        labelIds: [],
      },
    };
  }

  async function requestAt(projectId: number, iid: number): Promise<MergeRequest | undefined> {
    const place = placeOf(projectId, iid);
    const row = place === undefined ? undefined : await readStore.get(mergeRequests, place);
    return isThere(row) ? row : undefined;
  }

  async function concernAll(event: RecordedEvent, reaction: Reaction): Promise<void> {
    const { body, description, changes } = event.data as {
      body?: string;
      description?: string | null;
      changes?: { description?: string | null };
    };
    for (const news of newsOf(event)) {
      if (news.target === null) continue;
      const text = body ?? description ?? changes?.description ?? null;
      const authorId = news.actorId ?? initiatorOf(event.metadata).actorId;
      if (authorId === null) continue;
      for (const [userId, action] of await todosOf(ports, news, text))
        await create({ userId, action, news, authorId }, event, reaction);
      // Who says something, closes or merges has looked at it.
      const isDeed = ['commented', 'closed', 'merged'].includes(news.says.did);
      if (isDeed) await finish(authorId, news.target, event, reaction);
    }
  }

  /** The people whom a rule names by themselves are asked; members of its groups are many. */
  async function askApprovers(row: MergeRequest, event: RecordedEvent, reaction: Reaction): Promise<void> {
    const author = await actingUser(directory, row.authorId);
    const state = author && (await approvalStates([row], author)).get(row.place);
    for (const { required, ruleType, userIds, eligibleIds } of state?.rules ?? []) {
      if (required === 0 || ruleType !== 'regular') continue;
      for (const userId of userIds)
        if (userId !== row.authorId && eligibleIds.includes(userId)) {
          const item = { userId, action: 'approval_required', news: newsOfRequest(row) } as const;
          await create({ ...item, authorId: row.authorId }, event, reaction);
        }
    }
  }

  async function cannotMerge(row: MergeRequest, event: RecordedEvent, reaction: Reaction): Promise<void> {
    const news = newsOfRequest(row);
    for (const userId of new Set([row.authorId, ...(row.autoMergeById === null ? [] : [row.autoMergeById])]))
      await create({ userId, action: 'unmergeable', news, authorId: row.authorId }, event, reaction);
  }

  async function pipelineEnded(
    { pipelineId, status }: { pipelineId: number; status: string | undefined },
    event: RecordedEvent,
    reaction: Reaction,
  ): Promise<void> {
    if (status !== 'failed' && status !== 'success') return;
    const pipeline = await readStore.get(pipelineResults, pipelineId);
    if (!pipeline || pipeline.isChild || pipeline.refKind === 'tag') return;
    const ofRequest = /^refs\/merge-requests\/(\d+)\//.exec(pipeline.ref)?.[1];
    const rows =
      ofRequest === undefined
        ? await readStore.find(mergeRequests, {
            where: and(eq('source', branchKey(pipeline.projectId, pipeline.ref)), eq('state', 'opened')),
            limit: MOST_REQUESTS,
          })
        : [await requestAt(pipeline.projectId, Number(ofRequest))];
    for (const row of rows) {
      if (!isThere(row) || row.state !== 'opened') continue;
      // A pipeline of an older commit says nothing of what would be merged.
      if (ofRequest === undefined && row.sha !== pipeline.sha) continue;
      const news = newsOfRequest(row);
      const concerned = [row.authorId, ...(row.autoMergeById === null ? [] : [row.autoMergeById])];
      for (const userId of new Set(concerned))
        if (status === 'success') await finish(userId, news.target!, event, reaction, 'build_failed');
        else await create({ userId, action: 'build_failed', news, authorId: row.authorId }, event, reaction);
    }
  }

  return [
    definePolicy({
      name: 'arising-todos',
      handles: [
        IssueOpened,
        IssueUpdated,
        IssueClosed,
        DiscussionStarted,
        NoteAdded,
        MergeRequestCreated,
        MergeRequestUpdated,
        MergeRequestClosed,
        MergeRequestMerged,
        MergeRequestApproved,
        MergeRequestMergeFailed,
        MergeRequestAutoMergeCanceled,
        PipelineStatusChanged,
      ],
      actsAs: 'system',
      async react(event, reaction) {
        switch (event.type) {
          case 'PipelineStatusChanged': {
            const { pipelineId, changes } = event.data;
            return pipelineEnded({ pipelineId, status: changes.status }, event, reaction);
          }
          case 'MergeRequestApproved': {
            const { mergeRequestId: id, userId } = event.data;
            return finish(userId, { type: 'MergeRequest', id }, event, reaction);
          }
          case 'MergeRequestMergeFailed':
          case 'MergeRequestAutoMergeCanceled': {
            if (event.data.reason !== 'conflict') return;
            const row = await requestAt(event.data.projectId, event.data.iid);
            return row && cannotMerge(row, event, reaction);
          }
          case 'MergeRequestCreated': {
            await concernAll(event, reaction);
            const row = await requestAt(event.data.projectId, event.data.iid);
            return row && askApprovers(row, event, reaction);
          }
          default:
            return concernAll(event, reaction);
        }
      },
    }),
  ];
}

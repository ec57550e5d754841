import { ProjectCreated, ProjectUpdated } from '@forgelog/contracts/repo/projects/project.events.ts';
import { TopicDeleted, TopicUpdated } from '@forgelog/contracts/repo/topics/topic.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, asc, has, range } from '@forgelog/eventing/query.ts';
import { removeAvatar, removeAvatarsOf } from '@forgelog/service-kit/avatar-ends.ts';
import type { RepoPorts } from '../ports.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { TOPICS_STREAM, topicDecider, topicNamed } from './topic.decider.ts';
import { projectTopics } from './topics.projection.ts';

const BATCH = 1000;

/** Projects and topics follow each other. Safe to repeat, also on each storage. */
export function topicPolicies({
  commands,
  ids,
  objects,
  readStore,
}: Pick<RepoPorts, 'commands' | 'ids' | 'objects' | 'readStore'>): Policy[] {
  /** A topic gets an id when the first project carries it. */
  async function ensure(names: readonly string[] | undefined, metadata: EventMetadata): Promise<void> {
    if (!names || names.length === 0) return;
    const { state } = await commands.load(topicDecider, TOPICS_STREAM);
    const missing = names.filter((name) => topicNamed(state, name) === undefined);
    if (missing.length === 0) return;
    const topics = [];
    for (const name of missing) topics.push({ topicId: await ids.next('topic'), name });
    await commands.handle(topicDecider, TOPICS_STREAM, { type: 'EnsureTopics', topics }, metadata);
  }

  async function replace(from: string, to: string | null, metadata: EventMetadata, signal: AbortSignal) {
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const where = and(has('names', from.toLowerCase()), range('projectId', { gt: after }));
      const found = await readStore.find(projectTopics, {
        ...{ where, sort: [asc('projectId')], limit: BATCH, select: ['projectId'] },
      });
      for (const { projectId } of found) {
        const command = { type: 'ReplaceTopic' as const, projectId, from, to };
        await commands.handle(projectDecider, projectStream(projectId), command, metadata);
      }
      if (found.length < BATCH) return;
      after = found.at(-1)!.projectId;
    }
  }

  return [
    definePolicy({
      name: 'topics-of-projects',
      handles: [ProjectCreated, ProjectUpdated],
      actsAs: 'system',
      async react(event, { metadata }) {
        if (event.type === 'ProjectCreated') await ensure(event.data.settings.topics, metadata);
        else await ensure(event.data.changes.settings?.topics, metadata);
      },
    }),
    definePolicy({
      name: 'projects-of-topics',
      handles: [TopicUpdated, TopicDeleted],
      actsAs: 'system',
      async react(event, { metadata, signal }) {
        if (event.type === 'TopicDeleted') {
          const { topicId: id, name } = event.data;
          await removeAvatarsOf(objects, { kind: 'topic', id }, signal);
          return replace(name, null, metadata, signal);
        }
        const { changes, previous } = event.data;
        await removeAvatar(objects, previous?.avatarUrl);
        if (changes.name !== undefined && previous?.name !== undefined)
          await replace(previous.name, changes.name, metadata, signal);
      },
    }),
  ];
}

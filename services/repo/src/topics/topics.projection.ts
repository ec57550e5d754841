import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type TopicEvent, topicEvents } from '@forgelog/contracts/repo/topics/topic.events.ts';
import { topicLifetime } from '@forgelog/contracts/repo/topics/topic.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq, has } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const topics = defineCollection({
  name: 'topics',
  key: 'id',
  fields: {
    id: 'integer',
    name: 'text',
    nameLower: 'text',
    title: 'text',
    description: 'text?',
    avatarUrl: 'text?',
    projectsCount: 'integer',
  },
  indexes: [['nameLower'], ['projectsCount']],
  search: ['name', 'title'],
  holds: { lifetime: topicLifetime },
});

export type TopicRow = DocumentOf<typeof topics>;

/** What each project carries, in lower case and each once. */
export const projectTopics = defineCollection({
  name: 'project_topics',
  key: 'projectId',
  fields: { projectId: 'integer', names: 'text[]' },
  indexes: [['names']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Handled =
  | TopicEvent
  | Extract<ProjectEvent, { type: 'ProjectCreated' | 'ProjectUpdated' | 'ProjectDeleted' }>;

export const topicsProjection = defineProjection<Handled>({
  name: 'topics',
  collections: [topics, projectTopics],
  handles: [
    ...topicEvents.map(({ type }) => type),
    ...(['ProjectCreated', 'ProjectUpdated', 'ProjectDeleted'] as const),
  ],
  async project(event, documents) {
    switch (event.type) {
      case 'TopicCreated': {
        const { topicId: id, ...attributes } = event.data;
        const nameLower = attributes.name.toLowerCase();
        const projectsCount = await countOf(documents, nameLower);
        return documents.put(topics, { id, ...attributes, nameLower, projectsCount });
      }
      case 'TopicUpdated': {
        const { topicId: id, changes } = event.data;
        const topic = await documents.get(topics, id);
        if (!topic) return;
        const nameLower = (changes.name ?? topic.name).toLowerCase();
        const projectsCount =
          nameLower === topic.nameLower ? topic.projectsCount : await countOf(documents, nameLower);
        return documents.put(topics, { ...topic, ...changes, nameLower, projectsCount });
      }
      case 'TopicDeleted':
        return documents.delete(topics, event.data.topicId);
      case 'ProjectCreated':
        return carry(documents, event.data.projectId, event.data.settings.topics);
      case 'ProjectUpdated':
        return carry(documents, event.data.projectId, event.data.changes.settings?.topics);
      case 'ProjectDeleted':
        return carry(documents, event.data.projectId, []);
      default:
        event satisfies never;
    }
  },
});

const countOf = async (documents: ProjectionDocuments, name: string) =>
  (await documents.findAll(projectTopics, has('names', name))).length;

async function carry(
  documents: ProjectionDocuments,
  projectId: number,
  given: readonly string[] | undefined,
): Promise<void> {
  if (given === undefined) return;
  const before = new Set((await documents.get(projectTopics, projectId))?.names);
  const after = new Set(given.map((name) => name.toLowerCase()));
  for (const name of before.symmetricDifference(after))
    for (const topic of await documents.findAll(topics, eq('nameLower', name)))
      documents.put(topics, {
        ...topic,
        projectsCount: topic.projectsCount + (after.has(name) ? 1 : -1),
      });
  if (after.size > 0) documents.put(projectTopics, { projectId, names: [...after] });
  else if (before.size > 0) documents.delete(projectTopics, projectId);
}

import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** What messages of hooks say of projects, besides what every process knows. */
export const hookProjects = defineCollection({
  name: 'hook_projects',
  key: 'projectId',
  fields: {
    projectId: 'integer',
    description: 'text?',
    /** Without the host. */
    avatarUrl: 'text?',
    ciConfigPath: 'text?',
  },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Told = { avatar?: string | null; ci_config_path?: string | null };
type Row = DocumentOf<typeof hookProjects>;

export const hookProjectsProjection = defineProjection<ProjectEvent>({
  name: 'hook-projects',
  collections: [hookProjects],
  handles: ['ProjectCreated', 'ProjectUpdated'],
  async project(event, documents) {
    if (event.type !== 'ProjectCreated' && event.type !== 'ProjectUpdated') return;
    const { projectId } = event.data;
    const told = event.type === 'ProjectCreated' ? event.data : event.data.changes;
    const before = await documents.get(hookProjects, projectId);
    if (event.type === 'ProjectUpdated' && !before) return;
    const { avatar, ci_config_path } = (told.settings ?? {}) as Told;
    const row: Row = before ?? { projectId, description: null, avatarUrl: null, ciConfigPath: null };
    documents.put(hookProjects, {
      ...row,
      ...(told.description !== undefined && { description: told.description }),
      ...(avatar !== undefined && { avatarUrl: avatar }),
      ...(ci_config_path !== undefined && { ciConfigPath: ci_config_path }),
    });
  },
});

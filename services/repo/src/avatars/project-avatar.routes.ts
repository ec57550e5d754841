import { getProjectAvatar } from '@forgelog/contracts/repo/avatars/project-avatar.api.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { avatarAnswer } from '@forgelog/service-kit/avatar.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { shownProject } from '../projects/project.view.ts';

export async function projectAvatar(readStore: ReadStore, id: number): Promise<string | null> {
  const project = await readStore.get(projects, id);
  return project ? shownProject(project).avatar : null;
}

export const projectAvatarRoutes = ({ objects, readStore }: RepoPorts): Implementation[] => [
  implement(getProjectAvatar, async ({ project, headers }) =>
    avatarAnswer(objects, headers, await projectAvatar(readStore, project.project.id)),
  ),
];

import type { DirectoryProject } from './collections.ts';
import type { Directory } from './directory.ts';

/** The project, its origin and so on. Projects with the same last one are in one network; a circle ends as it closes. */
export async function forkChain(
  directory: Pick<Directory, 'project'>,
  projectId: number,
): Promise<DirectoryProject[]> {
  const chain: DirectoryProject[] = [];
  for (let id: number | null = projectId; id !== null; ) {
    const project = await directory.project(id);
    if (!project || chain.some((one) => one.id === project.id)) break;
    chain.push(project);
    id = project.forkedFromId;
  }
  return chain;
}

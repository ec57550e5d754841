import { listProjectStarrers } from '@forgelog/contracts/repo/projects/project-starrer.api.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { listPage, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { type ProjectStarRow, projectStars } from './project.collection.ts';
import { projectStarrerJson } from './project-starrer.view.ts';

const MAX_SEARCHED = 1_000_000;

export function projectStarrerRoutes(ports: RepoPorts): Implementation[] {
  const { directory, readStore } = ports;
  const view = projectStarrerJson.renderer(ports);

  /** Names are the directory's, so they are searched there. */
  async function named(search: string, stars: readonly ProjectStarRow[]): Promise<ProjectStarRow[]> {
    const wanted = search.toLowerCase();
    const found: ProjectStarRow[] = [];
    for (const star of stars) {
      const starrer = await directory.user(star.userId);
      const names = [starrer?.name, starrer?.username];
      if (names.some((name) => name?.toLowerCase().includes(wanted))) found.push(star);
    }
    return found;
  }

  return [
    implement(listProjectStarrers, async ({ params: { search }, project, page }) => {
      const list = { where: eq('projectId', project.project.id), sort: [asc('starredAt'), asc('key')] };
      if (!search) return listPage(readStore, projectStars, { ...list, page, view });
      const stars = await readStore.find(projectStars, { ...list, limit: MAX_SEARCHED });
      const { items, next } = pageOfArray(await named(search, stars), page, 'starrers', [
        { of: ({ starredAt }) => starredAt, direction: 'asc' },
        { of: ({ key }) => key, direction: 'asc' },
      ]);
      return { kind: 'list', items: view.list(items), next };
    }),
  ];
}

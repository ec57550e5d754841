import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import {
  exportDependencies,
  listDependencies,
} from '@forgelog/contracts/repo/dependencies/dependency.api.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import { emptyPage, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { findRevision } from '../shared/revisions.ts';
import type { AdvisoryDatabase } from './advisory-database.ts';
import { cycloneDx } from './cyclonedx.ts';
import { dependencyJson } from './dependency.view.ts';
import { BY_NAME, type DependencyLists } from './dependency-lists.ts';

export const dependencyRoutes =
  (lists: DependencyLists, advisories: Pick<AdvisoryDatabase, 'lookup'>) =>
  (ports: RepoPorts): Implementation[] => {
    const view = dependencyJson.renderer(ports);
    return [
      implementWithGit(listDependencies, async ({ params, project, page }) => {
        const repository = ports.repositories.of(project.project.id);
        const revision = await findRevision(repository, project.project, undefined);
        if (!revision) return { kind: 'list', ...emptyPage(page) };
        const all = await lists.of(repository, revision.oid);
        const managers = params.package_manager;
        const found = managers?.length ? all.filter(({ manager }) => managers.includes(manager)) : all;
        const { items, next } = pageOfArray(found, page, 'name', BY_NAME);
        const seesVulnerabilities = project.level >= AccessLevel.developer;
        const lookup = seesVulnerabilities ? await advisories.lookup() : undefined;
        const shown = items.map((item) => ({ ...item, vulnerabilities: lookup?.(item) }));
        return { kind: 'list', items: view.list(shown), next };
      }),

      implementWithGit(exportDependencies, async ({ project: { project } }) => {
        const repository = ports.repositories.of(project.id);
        const revision = await findRevision(repository, project, undefined);
        const all = revision ? await lists.of(repository, revision.oid) : [];
        const subject = { name: project.fullPath, commit: revision?.oid ?? null };
        return {
          kind: 'text',
          text: JSON.stringify(cycloneDx(all, subject)),
          headers: {
            'Content-Type': 'application/vnd.cyclonedx+json; version=1.5',
            'Content-Disposition': disposition('attachment', `${project.path}.cdx.json`),
          },
        };
      }),
    ];
  };

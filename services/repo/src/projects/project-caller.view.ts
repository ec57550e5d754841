import { storageSizes } from '@forgelog/contracts/shared/storage-sizes.ts';
import { createAuthorizer, grantProject, isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { shownShares } from '@forgelog/directory/shown-shares.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { runnersToken } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { attributesOf } from '../custom-attributes/project-attributes.query.ts';
import type { ProjectDocument } from './project.collection.ts';
import { type ProjectRequest, projectJson, shownProject, simpleProjectJson } from './project.view.ts';

/** Optional parts that a caller asked for. */
export interface Extras {
  simple?: boolean;
  statistics?: boolean;
  license?: boolean;
  with_custom_attributes?: boolean;
}

export type ProjectAnswers = (
  project: ProjectDocument,
  principal: Principal | null,
  extras?: Extras,
) => Promise<string>;

const REPORTER = 20;
const DEVELOPER = 30;
const MAINTAINER = 40;
/** The global level: notification settings are not implemented yet. */
const NOTIFICATION_LEVEL = 3;

/** Renders projects for a caller, as texts of a template. */
export function projectAnswers(ports: {
  directory: Directory;
  readStore: ReadStore;
  configuration: Pick<Configuration, 'EDITION'>;
  host: string;
  instanceKey: () => Buffer;
}): ProjectAnswers {
  const { directory, instanceKey, readStore } = ports;
  const host = JSON.parse(`"${ports.host}"`) as string;
  const authorizer = createAuthorizer(directory);
  const simpleView = simpleProjectJson.renderer(ports);
  const view = projectJson.renderer(ports);

  async function permissions(principal: Principal, place: DirectoryProject) {
    const { projects, groups } = await directory.memberships(principal.userId);
    // The owner of a personal namespace shows as a maintainer of their projects [L118].
    const own = place.ownerId === principal.userId ? MAINTAINER : (projects.get(place.id) ?? 0);
    const above = Math.max(0, ...(place.ancestors ?? []).map((id) => groups.get(id) ?? 0));
    const shown = (level: number) =>
      level === 0 ? null : { access_level: level, notification_level: NOTIFICATION_LEVEL };
    return { project_access: shown(own), group_access: shown(above) };
  }

  /** Only who may see the origin learns of it. */
  async function originOf({ forkedFromId }: ProjectDocument, principal: Principal) {
    const origin = forkedFromId === null ? undefined : await directory.project(forkedFromId);
    if (!origin || !(await grantProject(origin, principal, directory))) return undefined;
    const { id, name, path, fullName, fullPath } = origin;
    const web_url = `${host}/${fullPath}`;
    return {
      ...{ id, name, path, name_with_namespace: fullName, path_with_namespace: fullPath },
      ...{ web_url, http_url_to_repo: `${web_url}.git` },
    };
  }

  async function tokenOf(id: number): Promise<string> {
    const place = { kind: 'project', id } as const;
    return runnersToken(instanceKey(), place, await directory.runnersTokenResets(place));
  }

  async function members(
    project: ProjectDocument,
    principal: Principal,
    grant: ProjectGrant,
    extras: Extras,
  ): Promise<Omit<ProjectRequest, 'permissions'>> {
    const { level } = grant;
    const isOpen = isOpenTo(grant.project.visibility, principal);
    const isMaintainer = level >= MAINTAINER;
    const { import_url: importUrl = null } = project.settings as { import_url?: string | null };
    const openIssues = level >= REPORTER ? project.openIssues : project.openPublicIssues;
    return {
      open_issues_count: grant.can('issues') ? openIssues : undefined,
      can_create_merge_request_in:
        project.mergeRequestsLevel !== 'disabled' &&
        grant.can('merge_requests') &&
        grant.can('repository') &&
        grant.project.readOnly === null &&
        (isOpen || level >= DEVELOPER),
      runners_token: isMaintainer ? await tokenOf(project.id) : undefined,
      import_url: isMaintainer ? importUrl : undefined,
      repository_storage: principal.isAdmin ? project.repositoryStorage : undefined,
      statistics: extras.statistics && level >= REPORTER ? statistics(project) : undefined,
      license_url: extras.license ? null : undefined,
      license: extras.license ? null : undefined,
      forked_from_project: await originOf(project, principal),
      shared_with_groups: await shownShares(await directory.projectShares(project.id), authorizer, principal),
      custom_attributes:
        extras.with_custom_attributes && principal.isAdmin
          ? await attributesOf(project.id, readStore)
          : undefined,
    };
  }

  return async (project, principal, extras = {}) => {
    const shown = shownProject(project);
    const simple = () => String(simpleView.one(shown));
    if (principal === null || extras.simple) return simple();
    const place = await directory.project(project.id);
    const grant = place && (await grantProject(place, principal, directory));
    if (!grant) return simple();
    const request = {
      ...(await members(project, principal, grant, extras)),
      permissions: await permissions(principal, place),
    };
    return String(view.one(shown, request));
  };
}

const statistics = ({ commitCount, repositorySize, packagesSize }: ProjectDocument) => ({
  commit_count: commitCount,
  ...storageSizes({ repositorySize, packagesSize }),
});

import { grantProject, isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { runnersToken } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { withMembers } from '@forgelog/service-kit/ready-json.ts';
import type { ProjectDocument } from './project.collections.ts';

/** What a caller asked to have shown besides. */
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
/** The general level: notifications are a matter of other slices. */
const NOTIFICATION_LEVEL = 3;

/** Puts the answer for a caller together: the stored JSON, and what depends on who asks. */
export function projectAnswers(ports: {
  directory: Directory;
  configuration: Pick<Configuration, 'EDITION'>;
  instanceKey: () => Buffer;
}): ProjectAnswers {
  const { directory, configuration, instanceKey } = ports;

  async function permissions(principal: Principal, place: DirectoryProject) {
    const { projects, groups } = await directory.memberships(principal.userId);
    // The owner of a personal namespace shows as a maintainer of his projects [L118].
    const own = place.ownerId === principal.userId ? MAINTAINER : (projects.get(place.id) ?? 0);
    const above = Math.max(0, ...(place.ancestors ?? []).map((id) => groups.get(id) ?? 0));
    const shown = (level: number) =>
      level === 0 ? null : { access_level: level, notification_level: NOTIFICATION_LEVEL };
    return { project_access: shown(own), group_access: shown(above) };
  }

  function members(project: ProjectDocument, principal: Principal, grant: ProjectGrant, extras: Extras) {
    const { level } = grant;
    const isOpen = isOpenTo(grant.project.visibility, principal);
    return {
      ...(grant.can('issues')
        ? { open_issues_count: level >= REPORTER ? project.openIssues : project.openPublicIssues }
        : {}),
      can_create_merge_request_in:
        project.mergeRequestsLevel !== 'disabled' &&
        grant.can('merge_requests') &&
        grant.can('repository') &&
        !project.archived &&
        (isOpen || level >= DEVELOPER),
      ...(level >= MAINTAINER
        ? {
            runners_token: runnersToken(instanceKey(), 'project', project.id),
            import_url: (project.settings as { import_url?: string | null }).import_url ?? null,
          }
        : {}),
      ...(principal.isAdmin ? { repository_storage: project.repositoryStorage } : {}),
      ...(extras.statistics && level >= REPORTER ? { statistics: statisticsOf(project) } : {}),
      ...(extras.license ? { license_url: null, license: null } : {}),
      ...(extras.with_custom_attributes && principal.isAdmin ? { custom_attributes: [] } : {}),
    };
  }

  return async (project, principal, extras = {}) => {
    if (principal === null || extras.simple) return project.simple!;
    const place = await directory.project(project.id);
    const grant = place && (await grantProject(place, principal, directory));
    if (!grant) return project.simple!;
    const isPremium = configuration.EDITION !== 'free';
    const body = isPremium ? `${project.body!.slice(0, -1)},${project.premium!.slice(1)}` : project.body!;
    return withMembers(body, {
      ...members(project, principal, grant, extras),
      permissions: await permissions(principal, place),
    });
  };
}

function statisticsOf({ commitCount, repositorySize }: ProjectDocument) {
  return {
    commit_count: commitCount,
    storage_size: repositorySize,
    repository_size: repositorySize,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
  };
}

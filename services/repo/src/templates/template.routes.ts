import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  ciTemplates,
  dockerfileTemplates,
  getLicenseTemplate,
  getProjectTemplate,
  gitignoreTemplates,
  listLicenseTemplates,
  listProjectTemplates,
} from '@forgelog/contracts/repo/templates/template.api.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type PageRequest, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { shownLicense } from './license-template.ts';
import { LICENSES } from './license-texts.ts';
import { repositoryTemplates } from './repository-templates.ts';
import { type TextTemplateKind, textTemplates } from './text-templates.ts';

interface Filled {
  project?: string | undefined;
  fullname?: string | undefined;
}

const KINDS = [
  { endpoints: dockerfileTemplates, kind: 'dockerfiles', what: 'dockerfile' },
  { endpoints: gitignoreTemplates, kind: 'gitignores', what: 'gitignore' },
  { endpoints: ciTemplates, kind: 'gitlab_ci_ymls', what: 'gitlab_ci_yml' },
] as const;

const IN_REPOSITORY = { issues: 'issue_templates', merge_requests: 'merge_request_templates' } as const;

export function templateRoutes(ports: RepoPorts): Implementation[] {
  const { clock, directory } = ports;
  const ofRepository = repositoryTemplates(ports);

  async function license(key: string, { project, fullname }: Filled, principal: Principal | null) {
    const found = LICENSES.find((one) => one.key === key.toLowerCase());
    if (!found) return undefined;
    const caller = principal === null ? undefined : await directory.user(principal.userId);
    const year = String(clock().getUTCFullYear());
    return shownLicense(found, { year, project, fullname: fullname || caller?.name });
  }

  async function text(kind: TextTemplateKind, key: string) {
    return (await textTemplates(kind)).find(({ name }) => name === key);
  }

  async function namesFor({ project }: { project: ProjectGrant }, type: string) {
    if (type === 'issues' || type === 'merge_requests')
      return (await ofRepository.names(project, IN_REPOSITORY[type])).map((name) => ({ key: name, name }));
    if (type === 'licenses')
      return Promise.all(LICENSES.map(async ({ key, text }) => ({ key, name: (await text()).default.name })));
    return (await textTemplates(type as TextTemplateKind)).map(({ name }) => ({ key: name, name }));
  }

  return [
    ...KINDS.flatMap(({ endpoints, kind, what }) => [
      implement(endpoints.list, async ({ page }) => {
        const listed = (await textTemplates(kind)).map(({ name }) => ({ key: name, name }));
        return listOf(listed, page);
      }),
      implement(endpoints.get, async ({ params }) => {
        const found = await text(kind, params.name);
        if (!found) throw new Rejection('not_found', { what });
        return value(found);
      }),
    ]),

    implement(listLicenseTemplates, async ({ params, page, principal }) => {
      const wanted = LICENSES.filter(({ popular }) => !params.popular || popular);
      const shown = await Promise.all(wanted.map(({ key }) => license(key, {}, principal)));
      return listOf(shown as { key: string }[], page);
    }),

    implement(getLicenseTemplate, async ({ params, principal }) => {
      const found = await license(params.name, params, principal);
      if (!found) throw new Rejection('not_found', { what: 'License' });
      return value(found);
    }),

    implementWithGit(listProjectTemplates, async (request) =>
      listOf(await namesFor(request, request.params.type), request.page),
    ),

    implementWithGit(getProjectTemplate, async ({ params, project, principal }) => {
      const { type, name } = params;
      const found =
        type === 'issues' || type === 'merge_requests'
          ? await ofRepository.read(project, IN_REPOSITORY[type], name)
          : type === 'licenses'
            ? await license(name, params, principal)
            : await text(type, name);
      if (!found) throw new Rejection('not_found', { what: 'Template' });
      return value(found);
    }),
  ];
}

function listOf(items: readonly { key: string }[], page: PageRequest) {
  const order = [{ of: ({ key }: { key: string }) => key, direction: 'asc' as const }];
  const shown = pageOfArray(items, page, 'key', order);
  return { kind: 'list' as const, items: shown.items.map((item) => JSON.stringify(item)), next: shown.next };
}

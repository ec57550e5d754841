import { z } from 'zod';
import { anyone, defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './template.examples.json' with { type: 'json' };

const listedTemplate = { key: z.string(), name: z.string() };

export const listedTemplateView = defineView('ListedTemplate', listedTemplate, examples.ListedTemplate);

export const templateView = defineView(
  'Template',
  { name: z.string(), content: z.string() },
  examples.Template,
);

/** Licence that a project can take, with its text (companions 2.11). */
export const licenseTemplateView = defineView(
  'LicenseTemplate',
  {
    ...listedTemplate,
    nickname: z.string().nullable(),
    featured: z.boolean(),
    popular: z.boolean(),
    html_url: z.string(),
    source_url: z.string(),
    description: z.string(),
    conditions: z.array(z.string()),
    permissions: z.array(z.string()),
    limitations: z.array(z.string()),
    content: z.string(),
  },
  examples.LicenseTemplate,
);

const common = { service: 'repo', spec: 'companions 2.11', access: anyone } as const;

function templatesOf({ id, path, of, key }: { id: string; path: string; of: string; key: string }) {
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-template-list`,
      method: 'GET',
      path: `/templates/${path}`,
      summary: `Templates of ${of}, by name`,
      params: {},
      pagination: 'offset',
      response: z.array(listedTemplateView),
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-template-get`,
      method: 'GET',
      path: `/templates/${path}/:name`,
      summary: `One template of ${of}`,
      params: {
        name: described(required(text({ max: 255 })), 'Key of the template', { examples: [key] }),
      },
      response: templateView,
    }),
  };
}

export const dockerfileTemplates = templatesOf({
  ...{ id: 'dockerfile', path: 'dockerfiles', of: 'a Dockerfile', key: 'Node' },
});
export const gitignoreTemplates = templatesOf({
  ...{ id: 'gitignore', path: 'gitignores', of: 'a .gitignore', key: 'Node' },
});
export const ciTemplates = templatesOf({
  ...{ id: 'ci-yml', path: 'gitlab_ci_ymls', of: 'a configuration of pipelines', key: 'Nodejs' },
});

const filled = {
  project: described(text({ max: 255 }), 'Name of the project, for licences that tell it', {
    examples: ['Turbine'],
  }),
  fullname: described(text({ max: 255 }), 'Who holds the copyright; the caller unless given', {
    examples: ['Ada Lovelace'],
  }),
};

export const listLicenseTemplates = defineEndpoint({
  ...common,
  id: 'license-template-list',
  method: 'GET',
  path: '/templates/licenses',
  summary: 'Licences that a project can take, by key',
  params: { popular: described(bool(), 'Only those that are taken often') },
  pagination: 'offset',
  response: z.array(licenseTemplateView),
});

export const getLicenseTemplate = defineEndpoint({
  ...common,
  id: 'license-template-get',
  method: 'GET',
  path: '/templates/licenses/:name',
  summary: 'One licence, with its text filled in',
  params: {
    name: described(required(text({ max: 255 })), 'Key of the licence', { examples: ['mit'] }),
    ...filled,
  },
  response: licenseTemplateView,
});

const ofProject = {
  service: 'repo',
  spec: 'companions 2.11',
  access: project('anyone'),
  // A template may be too large for an answer.
  otherStatuses: [413],
} as const;
const type = described(
  required(oneOf('dockerfiles', 'gitignores', 'gitlab_ci_ymls', 'licenses', 'issues', 'merge_requests')),
  'What they are templates of; of issues and merge requests, those that the default branch has below `.gitlab`',
);

export const listProjectTemplates = defineEndpoint({
  ...ofProject,
  id: 'project-template-list',
  method: 'GET',
  path: '/projects/:id/templates/:type',
  summary: 'Templates that a project can use, by key',
  params: { id: projectId, type },
  pagination: 'offset',
  response: z.array(listedTemplateView),
});

export const getProjectTemplate = defineEndpoint({
  ...ofProject,
  id: 'project-template-get',
  method: 'GET',
  path: '/projects/:id/templates/:type/:name',
  summary: 'One template that a project can use',
  params: {
    id: projectId,
    type,
    name: described(required(text({ max: 255 })), 'Key of the template', { examples: ['Node'] }),
    ...filled,
  },
  response: z.union([templateView, licenseTemplateView]),
});

export const templateEndpoints = [
  ...[dockerfileTemplates, gitignoreTemplates, ciTemplates].flatMap((each) => Object.values(each)),
  listLicenseTemplates,
  getLicenseTemplate,
  listProjectTemplates,
  getProjectTemplate,
];

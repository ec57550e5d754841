import { z } from 'zod';
import { defineEndpoint, project, user } from '../../endpoint.ts';
import { bool, described, fallback, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './lint.examples.json' with { type: 'json' };

/** Characters of a configuration; more is refused by every use of it. */
const MAX_CONTENT = 1024 * 1024;

const problems = z.array(z.string());

export const configurationCheckView = defineView(
  'ConfigurationCheck',
  {
    valid: z.boolean(),
    errors: problems,
    warnings: problems,
    merged_yaml: z.string().nullable(),
  },
  examples.ConfigurationCheck,
);

export const textCheckView = defineView(
  'ConfigurationTextCheck',
  {
    status: z.enum(['valid', 'invalid']),
    errors: problems,
    warnings: problems,
    merged_yaml: z.string().nullable().optional(),
  },
  examples.ConfigurationTextCheck,
);

const content = described(
  required(text({ max: MAX_CONTENT }), { blank: true }),
  'The configuration to check',
  {
    examples: ['test: {script: make test}'],
  },
);
const dryRun = described(
  fallback(bool(), false),
  'Whether to choose the jobs too, as a new pipeline of the ref would, and to tell what it refuses',
);
const ref = described(text({ max: 255 }), 'Branch or tag; by default the default branch');

/** Forms and JSON escape what the text is made of. */
const maxBody = 4 * 1024 * 1024;
const common = {
  service: 'ci',
  spec: 'companions 2.9',
} as const;

export const checkConfiguration = defineEndpoint({
  ...common,
  id: 'ci-lint-get',
  method: 'GET',
  path: '/projects/:id/ci/lint',
  summary: "Check a project's configuration of pipelines as it is at a branch or tag",
  access: project('anyone', { feature: 'repository' }),
  params: { id: projectId, dry_run: dryRun, ref },
  response: configurationCheckView,
});

export const checkContent = defineEndpoint({
  ...common,
  id: 'ci-lint-project',
  method: 'POST',
  path: '/projects/:id/ci/lint',
  summary: 'Check a configuration as if it lay in the project',
  access: project('developer', { feature: 'builds' }),
  params: { id: projectId, content, dry_run: dryRun, ref },
  status: 200,
  maxBody,
  response: configurationCheckView,
});

export const checkText = defineEndpoint({
  ...common,
  id: 'ci-lint',
  method: 'POST',
  path: '/ci/lint',
  summary: 'Check a configuration that belongs to no project',
  access: user,
  params: {
    content,
    include_merged_yaml: described(
      fallback(bool(), false),
      'Whether to answer with the configuration as one file',
    ),
  },
  status: 200,
  maxBody,
  response: textCheckView,
});

export const lintEndpoints = [checkConfiguration, checkContent, checkText];

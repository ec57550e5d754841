import { Rejection } from '@forgelog/contracts/errors.ts';
import { renderMarkdown } from '@forgelog/contracts/tracker/markdown/markdown.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { markdownToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { referenceLinks } from './reference-links.ts';

export function markdownRoutes(ports: ServicePorts): Implementation[] {
  const { externalUrl } = ports.directory;
  const authorizer = createAuthorizer(ports.directory);
  const linksOf = referenceLinks(ports, authorizer);

  return [
    implement(renderMarkdown, async ({ params, principal }) => {
      const project =
        params.project === undefined ? undefined : await authorizer.project(params.project, principal);
      if (params.project !== undefined && !project) throw new Rejection('not_found', { what: 'Project' });
      const html = await markdownToHtml(params.text, {
        externalUrl,
        projectUrl: project ? `${externalUrl}/${project.project.fullPath}` : null,
        ...(params.gfm && { resolve: (references) => linksOf(references, { principal, project }) }),
      });
      return value({ html }, { status: 201 });
    }),
  ];
}

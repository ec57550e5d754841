import { checkConfiguration, checkContent, checkText } from '@forgelog/contracts/ci/lint/lint.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { Compilation } from '../configuration/compilation.ts';
import { noRightToRun, type PipelineRequest } from '../configuration/project-configuration.ts';
import type { CiPorts } from '../ports.ts';

interface Check {
  grant: ProjectGrant;
  principal: Principal | null;
  ref: string | undefined;
  content?: string;
  dryRun: boolean;
}

/** Checks of configurations, which say what the creation of a pipeline would say. */
export function lintRoutes({ configurations, directory }: CiPorts): Implementation[] {
  async function check({ grant, principal, ref, content, dryRun }: Check) {
    const project = await directory.project(grant.project.id);
    if (!project) throw new Rejection('not_found', { what: 'Project' });
    const request: PipelineRequest = {
      ...{ project, principal, source: 'push' as const, ref: ref || null },
      ...{ sha: null, beforeSha: null, given: [] },
    };
    const described = await configurations.describe(request);
    // A text can be checked before the first push.
    if ('reason' in described && content !== undefined && !dryRun && !ref)
      return value(checked(await configurations.compileText(content, principal!)));
    if ('reason' in described) return refused(described.message);
    if (dryRun && !described.mayRun) return refused(noRightToRun(described.ref));
    const compilation = await configurations.compile(request, described, {
      content,
      plans: dryRun,
      // Names of included files tell values of variables, which are for those who may run pipelines.
      withVariables: grant.level >= AccessLevel.developer && described.mayRun,
    });
    if ('reason' in compilation) return refused(compilation.message);
    return value(checked(compilation));
  }

  return [
    implement(checkConfiguration, ({ params, project, principal }) =>
      check({ grant: project, principal, ref: params.ref, dryRun: params.dry_run }),
    ),

    implement(checkContent, ({ params, project, principal }) =>
      check({
        ...{ grant: project, principal, ref: params.ref, dryRun: params.dry_run, content: params.content },
      }),
    ),

    implement(checkText, async ({ params, principal }) => {
      const { mergedYaml, ...found } = await configurations.compileText(params.content, principal!);
      const { valid, errors, warnings } = checked({ ...found, mergedYaml });
      const merged = params.include_merged_yaml ? { merged_yaml: mergedYaml } : {};
      return value({ status: valid ? 'valid' : 'invalid', errors, warnings, ...merged });
    }),
  ];
}

const checked = ({ errors, warnings, mergedYaml }: Compilation) => ({
  valid: errors.length === 0,
  errors,
  warnings,
  merged_yaml: mergedYaml,
});

const refused = (message: string) =>
  value({ valid: false, errors: [message], warnings: [], merged_yaml: null });

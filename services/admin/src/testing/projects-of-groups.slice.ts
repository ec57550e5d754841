import examples from '@forgelog/contracts/repo/projects/project.examples.json' with { type: 'json' };
import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';

/** The only project of every group, in its simple form. */
export const { SimpleProject: onlyProject } = examples;

/** Stands in for the repo service, and collects what it is asked. */
export function projectsOfGroups(asked: unknown[] = []) {
  return defineSlice<ServicePorts>({
    operations: [
      () => [
        implementOperation(listProjectsOfGroup, async ({ request, principal }) => {
          asked.push({ ...request, caller: principal?.userId ?? null });
          const items = request.shared ? [] : [JSON.stringify(onlyProject)];
          return { items, next: { by: 'offset' as const, total: items.length, more: false } };
        }),
      ],
    ],
  });
}

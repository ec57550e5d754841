import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { Repositories } from '../repository-storage/repositories.ts';

/**
 * The same endpoints, whose callers hear that the project is not there where it was deleted under their request: the
 * repository goes at any moment then, and whatever fails for that reason is no failure of ours.
 */
export function refusingDeleted(
  repositories: Pick<Repositories, 'isDeleted'>,
  implementations: readonly Implementation[],
): Implementation[] {
  return implementations.map((implementation) => {
    const { endpoint, handle } = implementation;
    if (endpoint.access.kind !== 'project') return implementation;
    return {
      endpoint,
      async handle(request) {
        try {
          return await handle(request);
        } catch (error) {
          const isAnswer = error instanceof Rejection && error.status < 500;
          if (isAnswer || !(await repositories.isDeleted(request.project.project.id))) throw error;
          throw new Rejection('not_found', { what: 'Project' });
        }
      },
    };
  });
}

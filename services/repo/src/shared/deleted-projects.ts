import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { Repositories } from '../repository-storage/repositories.ts';

/**
 * Wraps endpoints to answer 404 if the project was deleted during the request. Deletion removes the repository at any
 * moment, so failures after it are expected.
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

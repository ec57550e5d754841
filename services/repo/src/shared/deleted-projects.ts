import { Rejection } from '@forgelog/contracts/errors.ts';
import { UnseenAppendError } from '@forgelog/eventing/position-waiters.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { elsewhere, type Repositories } from '../repository-storage/repositories.ts';

/**
 * Wraps endpoints to answer 404 if the project was deleted during the request, and 503 if its repository went to another
 * storage. Both remove the repository at any moment, so failures after it are expected.
 */
export function refusingDeleted(
  repositories: Pick<Repositories, 'isDeleted' | 'isElsewhere'>,
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
          // What was appended, the deletion itself perhaps, did not fail.
          if (isAnswer || error instanceof UnseenAppendError) throw error;
          const { id } = request.project.project;
          if (await repositories.isDeleted(id)) throw new Rejection('not_found', { what: 'Project' });
          throw (await repositories.isElsewhere(id)) ? elsewhere() : error;
        }
      },
    };
  });
}

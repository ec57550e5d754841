import { Rejection } from '@forgelog/contracts/errors.ts';
import { getProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import { UnseenAppendError } from '@forgelog/eventing/position-waiters.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { implement } from '@forgelog/service-kit/service.ts';
import { expect, test } from 'vitest';
import { elsewhere } from '../repository-storage/repositories.ts';
import { refusingDeleted } from './deleted-projects.ts';

const failed = new Error('git failed');
const busy = new Rejection('unavailable', { reason: 'the repository cannot be read now' });
const refused = new Rejection('refused', { message: 'A file with this name already exists' });
const unseen = new UnseenAppendError('appended, but not projected in time');
const gone = new Rejection('not_found', { what: 'Project' });
const moved = elsewhere();

test.each<[string, Error, 'deleted' | 'moved' | 'there', Error]>([
  ['a failure in a deleted project', failed, 'deleted', gone],
  ['a 503 in a deleted project', busy, 'deleted', gone],
  ['the deletion itself, which cannot be shown yet', unseen, 'deleted', unseen],
  ['a failure in a project that moved meanwhile', failed, 'moved', moved],
  ['a failure in a project that is there', failed, 'there', failed],
  ['a 503 in a project that is there', busy, 'there', busy],
  ['a refusal in a deleted project', refused, 'deleted', refused],
])('%s is answered for what it is', async (_, error, state, answer) => {
  const failing = implement(getProject, () => Promise.reject(error));
  const repositories = {
    isDeleted: async () => state === 'deleted',
    isElsewhere: async () => state === 'moved',
  };
  const [implementation] = refusingDeleted(repositories, [failing]);
  const request = { project: { project: { id: 1 } } } as unknown as ApiRequest;
  await expect(implementation!.handle(request)).rejects.toEqual(answer);
});

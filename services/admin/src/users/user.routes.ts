import { getCurrentUser, getUser, listUsers } from '@forgelog/contracts/admin/user.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { ref, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { createUserAnswers } from './user-answers.ts';
import { userCondition, userOrder } from './user-list.ts';
import { users } from './users.projection.ts';

/** Administrators see all fields, others the public view [L35-L39]. */
export function userRoutes({ readStore, configuration }: ServicePorts): Implementation[] {
  const answers = createUserAnswers(configuration.EDITION);

  async function rowOf(id: number) {
    const row = await readStore.get(users, id);
    if (!row) throw new Rejection('not_found', { what: 'User' });
    return row;
  }

  return [
    implement(listUsers, async ({ params, principal, page }) => {
      const where = await userCondition(params, principal, readStore);
      const sort = userOrder(params, principal);
      if (!principal?.isAdmin) {
        const { documents, next } = await pageOf(readStore, users, { where, sort, page, select: ['id'] });
        return { kind: 'list', items: documents.map(({ id }) => writeReadyJson(ref.user(id))), next };
      }
      const select = ['id', 'adminBody', 'adminPremium'] as const;
      const { documents, next } = await pageOf(readStore, users, { where, sort, page, select });
      const custom = params.with_custom_attributes;
      return { kind: 'list', items: documents.map((row) => answers.inAdminList(row, custom)), next };
    }),

    implement(getUser, async ({ params, principal }) => {
      const row = await rowOf(params.id);
      return json(
        principal?.isAdmin ? answers.adminSingle(row, params.with_custom_attributes) : row.publicBody!,
      );
    }),

    implement(getCurrentUser, async ({ caller }) => {
      const row = await rowOf(caller.userId);
      return json(caller.isAdmin ? answers.adminSingle(row) : row.ownBody!);
    }),
  ];
}

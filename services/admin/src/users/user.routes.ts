import { getCurrentUser, getUser, listUsers } from '@forgelog/contracts/admin/users/user.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { attributesByOwner } from '../custom-attributes/custom-attribute.query.ts';
import { userCondition, userOrder } from './user.query.ts';
import {
  adminSingleUserJson,
  adminUserJson,
  listedUserJson,
  ownUserJson,
  publicUserJson,
} from './user.view.ts';
import type { UserRecord } from './user-record.ts';
import { users } from './users.projection.ts';

/** Administrators see all fields, others the public view [L35-L39]. */
export function userRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const listedView = listedUserJson.renderer(ports);
  const publicView = publicUserJson.renderer(ports);
  const ownView = ownUserJson.renderer(ports);
  const adminView = adminUserJson.renderer(ports);
  const adminSingleView = adminSingleUserJson.renderer(ports);

  async function recordOf(id: number) {
    const row = await readStore.get(users, id);
    if (!row) throw new Rejection('not_found', { what: 'User' });
    return row.record as UserRecord;
  }

  const attributesOf = async (ids: readonly number[], asked: boolean | undefined) =>
    asked ? attributesByOwner(ids, 'userId', readStore) : undefined;

  /** Where nothing is public, anonymous callers see no users. */
  const isClosed = async () => (await settingNow(ports, 'restricted_visibility_levels')).includes('public');

  return [
    implement(listUsers, async ({ params, principal, page }) => {
      if (principal === null && (await isClosed()))
        throw new Rejection('forbidden', { reason: 'Not authorized to access /api/v4/users' });
      const where = await userCondition(params, principal, readStore);
      const sort = userOrder(params, principal);
      const select = ['id', 'record'] as const;
      const { documents, next } = await pageOf(readStore, users, { where, sort, page, select });
      const records = documents.map(({ record }) => record as UserRecord);
      if (!principal?.isAdmin) return { kind: 'list', items: listedView.list(records), next };
      const ids = records.map(({ id }) => id);
      const customAttributes = await attributesOf(ids, params.with_custom_attributes);
      return { kind: 'list', items: adminView.list(records, { customAttributes }), next };
    }),

    implement(getUser, async ({ params, principal }) => {
      if (principal === null && (await isClosed())) throw new Rejection('not_found', { what: 'User' });
      const record = await recordOf(params.id);
      if (!principal?.isAdmin) return json(publicView.one(record));
      const customAttributes = await attributesOf([record.id], params.with_custom_attributes);
      return json(adminSingleView.one(record, { customAttributes }));
    }),

    implement(getCurrentUser, async ({ caller }) => {
      const record = await recordOf(caller.userId);
      return json(
        caller.isAdmin ? adminSingleView.one(record, { customAttributes: undefined }) : ownView.one(record),
      );
    }),
  ];
}

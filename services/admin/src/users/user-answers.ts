import type { Tier } from '@forgelog/contracts/endpoint.ts';
import { withMembers } from '@forgelog/service-kit/ready-json.ts';
import type { UserRow } from './users.projection.ts';

type Members = Readonly<Record<string, unknown>>;

export interface UserAnswers {
  inAdminList(row: Pick<UserRow, 'adminBody' | 'adminPremium'>, customAttributes?: boolean): string;
  adminSingle(row: UserRow, customAttributes?: boolean): string;
}

/** Builds the administrators' views, whose fields depend on the edition [L26, L39]. */
export function createUserAnswers(edition: Tier): UserAnswers {
  const inAdminList: UserAnswers['inAdminList'] = ({ adminBody, adminPremium }, customAttributes) =>
    withMembers(adminBody!, {
      ...(edition === 'free' ? {} : (adminPremium as Members)),
      // Present on request; always empty.
      ...(customAttributes ? { custom_attributes: [] } : {}),
    });
  return {
    inAdminList,
    adminSingle: (row, customAttributes) =>
      withMembers(inAdminList(row, customAttributes), {
        ...(row.adminSingle as Members),
        ...(edition === 'free' ? {} : { plan: 'default', trial: false }),
      }),
  };
}

import { accessRequestView } from '@forgelog/contracts/admin/access-requests/access-request.api.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import { userJson } from '@forgelog/directory/user.view.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

export interface ShownRequest extends DirectoryUser {
  requestedAt: string;
}

export const accessRequestJson = implementView(accessRequestView).from<ShownRequest>({
  ...userJson.members,
  created_at: 'requestedAt',
  requested_at: 'requestedAt',
});

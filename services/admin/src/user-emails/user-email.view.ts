import { userEmailView } from '@forgelog/contracts/admin/user-emails/user-email.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { UserEmailRow } from './user-emails.projection.ts';

export const userEmailJson = implementView(userEmailView).from<UserEmailRow>({
  id: 'id',
  email: 'email',
  confirmed_at: 'confirmedAt',
});

import { avatarView } from '@forgelog/contracts/admin/avatars/avatar.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';

export const avatarJson = implementView(avatarView).from<{ avatarUrl: string | null }>({
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
});

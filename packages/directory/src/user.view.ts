import { userView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import type { DirectoryUser } from './collections.ts';

const SHOWN = ['active', 'deactivated', 'banned'] as const;

/** The public view of a user, wherever one is named [L35]. */
export const userJson = implementView(userView).from<DirectoryUser>({
  id: 'id',
  username: 'username',
  name: 'name',
  state: derived(['state'], (state: string) => SHOWN.find((one) => one === state) ?? 'blocked'),
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/${'username'}`,
});

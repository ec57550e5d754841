import { namespaceDetailView } from '@forgelog/contracts/admin/namespaces/namespace.api.ts';
import type { DirectoryNamespace } from '@forgelog/directory/collections.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { derived, host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';

export interface ShownNamespace extends DirectoryNamespace {
  /** Undefined where the caller may not know. */
  memberCount: number | undefined;
  /** Where its page is, below the host. */
  page: string;
}

export const namespaceJson = implementView(namespaceDetailView).from<ShownNamespace>({
  id: 'id',
  name: 'name',
  path: 'path',
  kind: derived(['kind'], (kind: string) => kind as 'user' | 'group'),
  full_path: 'fullPath',
  parent_id: 'parentId',
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/${'page'}`,
  members_count_with_descendants: ifGiven(({ memberCount }: ShownNamespace) => memberCount),
});

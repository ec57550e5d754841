import { projectGroupView } from '@forgelog/contracts/admin/groups/project-group.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import { namespaceFullName, namespacePath } from '@forgelog/service-kit/view-placeholders.ts';
import type { GroupRow } from './groups.projection.ts';

export const projectGroupJson = implementView(projectGroupView).from<GroupRow>({
  id: 'id',
  name: 'name',
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/groups/${namespacePath('id')}`,
  full_name: text`${namespaceFullName('id')}`,
  full_path: text`${namespacePath('id')}`,
});

import {
  deployKeyView,
  instanceDeployKeyView,
  projectDeployKeyView,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.api.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, text } from '@forgelog/service-kit/view-parts.ts';
import type { DeployKeyRow } from './deploy-keys.projection.ts';

export const deployKeyJson = implementView(deployKeyView).from<DeployKeyRow>({
  id: 'id',
  title: 'title',
  created_at: 'createdAt',
  key: 'key',
  fingerprint: 'md5',
  fingerprint_sha256: text`SHA256:${'sha256'}`,
});

export type ShownProjectKey = DeployKeyRow & { canPush: boolean };

export const projectDeployKeyJson = implementView(projectDeployKeyView).from<ShownProjectKey>({
  ...deployKeyJson.members,
  can_push: 'canPush',
});

export type ShownInstanceKey = DeployKeyRow & { pushesTo: readonly DirectoryProject[] };

export const instanceDeployKeyJson = implementView(instanceDeployKeyView).from<ShownInstanceKey>({
  ...deployKeyJson.members,
  projects_with_write_access: given(({ pushesTo }: ShownInstanceKey) =>
    pushesTo.map(({ id, name, fullName, path, fullPath }) => ({
      ...{ id, name, name_with_namespace: fullName, path, path_with_namespace: fullPath },
    })),
  ),
});

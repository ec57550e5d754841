import { branchView } from '@forgelog/contracts/repo/branches/branch.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derivedText, host, nested, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath } from '@forgelog/service-kit/view-placeholders.ts';
import { commitJson, type ShownCommit } from '../commits/commit.view.ts';
import { admitsDevelopers } from '../refs/admission.rules.ts';
import type { RefAccess } from '../refs/ref.access.ts';
import type { RefMoveKind } from '../refs/ref-protection.rules.ts';
import { needCommit } from '../shared/revisions.ts';

export interface Branch {
  name: string;
  oid: string;
}

interface ShownBranch extends Branch {
  projectId: number;
  commit: ShownCommit;
  merged: boolean;
  protected: boolean;
  developersCanPush: boolean;
  developersCanMerge: boolean;
  canPush: boolean;
  default: boolean;
}

export const branchJson = implementView(branchView).from<ShownBranch>({
  name: 'name',
  commit: nested(commitJson, ({ commit }: ShownBranch) => commit),
  merged: 'merged',
  protected: 'protected',
  developers_can_push: 'developersCanPush',
  developers_can_merge: 'developersCanMerge',
  can_push: 'canPush',
  default: 'default',
  web_url: text`${host}/${projectPath('projectId')}/-/tree/${derivedText(['name'], pathOf)}`,
});

/**
 * Branches as the caller sees them. A branch is merged if its tip is in the default branch's history; the default
 * branch itself never is.
 */
export async function shownBranches(
  repository: Repository,
  { project }: ProjectGrant,
  access: RefAccess,
  branches: readonly Branch[],
): Promise<ShownBranch[]> {
  const defaultTip =
    project.defaultBranch === null
      ? undefined
      : await repository.readRef(`refs/heads/${project.defaultBranch}`);
  const merged =
    defaultTip === undefined
      ? new Set<string>()
      : await repository.mergedInto(
          branches.map(({ oid }) => oid),
          defaultTip,
        );
  return Promise.all(
    branches.map(async ({ name, oid }) => {
      const full = `refs/heads/${name}`;
      const protection = access.protectionOf(full);
      const isDefault = name === project.defaultBranch;
      const admitsAll = (kind: RefMoveKind) =>
        protection !== undefined && admitsDevelopers(protection.admissions(kind));
      return {
        name,
        oid,
        projectId: project.id,
        commit: { ...(await needCommit(repository, oid)), projectId: project.id },
        merged: !isDefault && merged.has(oid),
        protected: protection !== undefined,
        developersCanPush: admitsAll('update'),
        developersCanMerge: admitsAll('merge'),
        canPush: access.mayMove(full, 'update'),
        default: isDefault,
      };
    }),
  );
}

/** Encodes a branch name for a URL; slashes stay. */
function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

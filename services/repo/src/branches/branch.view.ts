import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { fullCommit } from '../commits/commit.view.ts';
import type { Repository } from '../git/git.ts';
import { mayMoveRef, protectionOf } from '../repository/ref-rules.ts';
import { needCommit } from '../repository/revisions.ts';

export interface Branch {
  name: string;
  oid: string;
}

const DEVELOPER = 30;

/**
 * Branches as their readers see them (companions 3), as ready JSON. A branch is merged when its tip is in the
 * default branch's history; the default branch itself never is.
 */
export async function branchViews(
  repository: Repository,
  grant: ProjectGrant,
  branches: readonly Branch[],
): Promise<string[]> {
  const { project } = grant;
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
      const protection = protectionOf(project, full);
      const isDefault = name === project.defaultBranch;
      const allows = (level: number) => level > 0 && level <= DEVELOPER;
      return writeReadyJson({
        name,
        commit: fullCommit(await needCommit(repository, oid), project.id),
        merged: !isDefault && merged.has(oid),
        protected: protection !== undefined,
        developers_can_push: protection !== undefined && allows(protection.pushLevel),
        developers_can_merge: protection !== undefined && allows(protection.mergeLevel),
        can_push: mayMoveRef(grant, full, 'update'),
        default: isDefault,
        web_url: new TextRef(['', ref.host, '/', ref.projectPath(project.id), `/-/tree/${pathOf(name)}`]),
      });
    }),
  );
}

/** A branch's name in an address: its slashes stay. */
function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

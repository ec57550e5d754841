import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectGrant, ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { Repositories } from '../repositories/repositories.ts';

/** What is to happen to a ref; `force` leaves commits behind. */
export type RefMoveKind = 'create' | 'update' | 'force' | 'delete';

/** Least levels for a protected ref; 0 stands for nobody. */
export interface Protection {
  pushLevel: number;
  mergeLevel: number;
}

/** Who may move which ref. Refs are full names. */
export interface RefRules {
  mayMoveRef(grant: ProjectGrant, ref: string, kind: RefMoveKind): Promise<boolean>;
  /** undefined where nothing protects the ref. */
  protectionOf(project: ProjectSummary, ref: string): Promise<Protection | undefined>;
}

/** What the slices that show and change contents need beside the ports of every slice. */
export interface ContentPorts extends ServicePorts {
  repositories: Pick<Repositories, 'of' | 'moveRefs'>;
  refRules: RefRules;
  /** Whether two projects are forks of one another, or of the same project. */
  areForks(projectId: number, otherId: number): Promise<boolean>;
  /** The release of a tag, undefined where it has none. */
  releaseOfTag(
    projectId: number,
    tagName: string,
  ): Promise<{ tag_name: string; description: string | null } | undefined>;
}

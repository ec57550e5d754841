import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RefAccessOf } from '../refs/ref.access.ts';
import type { Repositories } from '../repositories/repositories.ts';

/** What the slices that show and change contents need beside the ports of every slice. */
export interface ContentPorts extends ServicePorts {
  repositories: Pick<Repositories, 'of' | 'moveRefs'>;
  refAccess: RefAccessOf;
  /** The release of a tag, undefined where it has none. */
  releaseOfTag(
    projectId: number,
    tagName: string,
  ): Promise<{ tag_name: string; description: string | null } | undefined>;
}

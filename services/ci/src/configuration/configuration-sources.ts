import type { IncludeAnswer, IncludeReference, Origin } from '@forgelog/ci-config/ports.ts';
import {
  listChangedPaths,
  listPaths,
  readFiles,
  SOURCE_BOUNDS,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Sources } from './compilation.ts';
import { ZERO_SHA } from './pipeline-facts.ts';
import type { FetchRemoteFile } from './remote-file.ts';

export interface SourcePorts {
  operations: Operations;
  directory: Pick<Directory, 'projectByPath'>;
  fetchRemoteFile: FetchRemoteFile;
}

interface Asker {
  principal: Principal | null;
  /** Commits to compare for `changes`; null where nobody knows what changed. */
  compared: { projectId: number; from: string; to: string } | null;
}

/** Answers the questions of a compilation with what this user may read. The `project` of an origin is an id. */
export function configurationSources(
  { operations, directory, fetchRemoteFile }: SourcePorts,
  { principal, compared }: Asker,
): Sources {
  const asking = { principal };

  async function read(projectId: number, revision: string | null, paths: readonly string[]) {
    const pages: IncludeAnswer[] = [];
    let origin: Origin | undefined;
    for (let at = 0; at < paths.length; at += SOURCE_BOUNDS.files) {
      const asked = paths.slice(at, at + SOURCE_BOUNDS.files);
      const answer = await operations.call(readFiles, { projectId, revision, paths: asked }, asking);
      if ('refused' in answer) return { refused: answer.refused };
      origin = { project: String(projectId), sha: answer.sha };
      if (answer.files.includes('too large')) return { refused: 'too large' as const };
      const files = asked.flatMap((name, index) => {
        const file = answer.files[index];
        return file && file !== 'too large' ? [{ name, text: file.text }] : [];
      });
      pages.push({ files });
    }
    const files = pages.flatMap((page) => ('files' in page ? page.files : []));
    return files.length < paths.length ? { refused: 'no file' as const } : { files, origin };
  }

  async function include(reference: IncludeReference): Promise<IncludeAnswer> {
    switch (reference.kind) {
      case 'project': {
        const project = await directory.projectByPath(reference.project);
        if (!project) return { refused: 'no project' };
        return read(project.id, reference.ref, [reference.path.replace(/^\/+/, '')]);
      }
      case 'remote':
        return fetchRemoteFile(reference.url);
      case 'template':
      case 'local':
        return { refused: 'no file' };
      default:
        return reference satisfies never;
    }
  }

  return {
    include,
    files: (paths, from) => (from.sha === '' ? noFile() : read(Number(from.project), from.sha, paths)),
    async paths(folder, { project, sha }) {
      if (sha === '') return { paths: [], isComplete: true };
      const answer = await operations.call(listPaths, { projectId: Number(project), sha, folder }, asking);
      return 'refused' in answer ? { paths: [], isComplete: true } : answer;
    },
    async changedPaths() {
      if (!compared || compared.from === ZERO_SHA) return null;
      const answer = await operations.call(listChangedPaths, compared, asking);
      return 'refused' in answer ? null : answer.paths;
    },
  };
}

const noFile = async (): Promise<IncludeAnswer> => ({ refused: 'no file' });

import { createFile, deleteFile, updateFile } from '@forgelog/contracts/repo/files/file.api.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import { normalizePath } from '@forgelog/git/trees/tree-path.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { COMMIT_FAILED, writeCommit } from '../commits/commit.commands.ts';
import { contentBytes } from '../commits/file-actions.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { refuseEmpty } from '../shared/revisions.ts';
import { writtenFileJson } from './file.view.ts';

type WriteRequest = ApiRequest<typeof createFile | typeof updateFile | typeof deleteFile>;

export function fileWriteRoutes(ports: RepoPorts): Implementation[] {
  const view = writtenFileJson.renderer(ports);

  async function commit(request: WriteRequest, lastCommitId: string | undefined, action: FileAction) {
    const { params, project: grant, caller, metadata } = request;
    refuseEmpty(params, 'file_path', 'branch', 'commit_message');
    await writeCommit(ports, {
      grant,
      caller,
      metadata,
      branch: params.branch,
      startBranch: params.start_branch || undefined,
      message: params.commit_message,
      authorName: params.author_name,
      authorEmail: params.author_email,
      actions: [action],
      lastKnown: new Map(lastCommitId ? [[action.path, lastCommitId.toLowerCase()]] : []),
      refuseUnchanged: COMMIT_FAILED,
    });
    return { path: action.path, branch: params.branch };
  }

  return [
    implementWithGit(createFile, async (request) => {
      const { file_path, content, encoding } = request.params;
      const path = normalizePath(file_path);
      const action = { action: 'create', path, content: contentBytes(content, encoding) } as const;
      return json(view.one(await commit(request, undefined, action)), { status: 201 });
    }),

    implementWithGit(updateFile, async (request) => {
      const { file_path, content, encoding, last_commit_id } = request.params;
      const path = normalizePath(file_path);
      const action = { action: 'update', path, content: contentBytes(content, encoding) } as const;
      return json(view.one(await commit(request, last_commit_id, action)));
    }),

    implementWithGit(deleteFile, async (request) => {
      const { file_path, last_commit_id } = request.params;
      await commit(request, last_commit_id, { action: 'delete', path: normalizePath(file_path) });
      return noContent();
    }),
  ];
}

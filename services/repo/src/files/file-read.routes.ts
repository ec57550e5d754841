import {
  getFile,
  getFileBlame,
  getRawFile,
  getRawFileAt,
  headFile,
  headFileBlame,
  headRawFile,
} from '@forgelog/contracts/repo/files/file.api.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { rawAnswer } from '../shared/raw-content.ts';
import { refuseEmpty } from '../shared/revisions.ts';
import { blameRangeJson } from './file.view.ts';
import { splitAddress } from './file-address.ts';
import { describeFile, fileHeaders, locateFile } from './file-content.ts';
import { fileAnswer } from './file-record.ts';

/** Reads one file [L192-L197]. */
export function fileReadRoutes(ports: RepoPorts): Implementation[] {
  const blameView = blameRangeJson.renderer(ports);
  const compatible = ports.configuration.COMPAT_HEADERS === 'on';

  async function locate(request: FileRequest) {
    const { project } = request.project;
    const { params } = request;
    refuseEmpty(params, 'file_path');
    const repository = ports.repositories.of(project.id);
    const file = await locateFile(repository, project, params.file_path, params.ref);
    const describe = (content?: Buffer) =>
      describeFile(repository, file, {
        ref: params.ref || (project.defaultBranch ?? 'HEAD'),
        content,
        signal: request.signal,
      });
    return { repository, file, describe };
  }

  async function headersOf(request: FileRequest): Promise<Answer> {
    const { describe } = await locate(request);
    return { kind: 'empty', status: 200, headers: fileHeaders(await describe(), compatible) };
  }

  async function headersAt(request: FileRequest): Promise<Answer> {
    refuseEmpty(request.params, 'ref');
    return headersOf(request);
  }

  return [
    implementWithGit(getFile, async (request) => {
      refuseEmpty(request.params, 'ref');
      const { repository, file, describe } = await locate(request);
      return fileAnswer(repository, file, request, async (content) => {
        const described = await describe(content);
        return { file: described, headers: fileHeaders(described, compatible) };
      });
    }),

    implementWithGit(headFile, headersAt),

    implementWithGit(getFileBlame, async (request) => {
      refuseEmpty(request.params, 'ref');
      const { repository, file, describe } = await locate(request);
      const blame = await repository.blame(file.commitId, file.entry.path, request.signal);
      const described = await describe(blame!.file.content);
      return json(blameView.list(blame!.ranges), { headers: fileHeaders(described, compatible) });
    }),

    implementWithGit(headFileBlame, headersAt),

    // GET leaves out the headers of HEAD, since they cost a history walk.
    implementWithGit(getRawFile, async (request) => {
      const { repository, file } = await locate(request);
      return rawAnswer(repository, file.blob, file.entry.name, request);
    }),

    implementWithGit(headRawFile, headersOf),

    implementWithGit(getRawFileAt, async (request) => {
      const { project } = request.project;
      const repository = ports.repositories.of(project.id);
      const { ref, path } = await splitAddress(repository, request.params.ref_and_path);
      const file = await locateFile(repository, project, path, ref);
      return rawAnswer(repository, file.blob, file.entry.name, request);
    }),
  ];
}

type FileRequest = Pick<ApiRequest<typeof getRawFile>, 'params' | 'project' | 'signal'>;

import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { projectId } from '../../shared/common.params.ts';
import { storedFile } from '../../shared/stored-file.ts';
import { defineView } from '../../views.ts';
import examples from './upload.examples.json' with { type: 'json' };

export const uploadView = defineView(
  'Upload',
  {
    alt: z.string(),
    url: z.string(),
    full_path: z.string(),
    markdown: z.string(),
  },
  examples.Upload,
);

export const createUpload = defineEndpoint({
  id: 'project-upload-create',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/uploads',
  summary: 'Store a file that texts of the project refer to; it comes in the field `file`',
  spec: 'companions 2.3',
  access: project('anyone', { signedIn: true }),
  params: { id: projectId },
  bodyTypes: ['multipart/form-data'],
  status: 201,
  response: uploadView,
});

/** Answers at `/<path of the project>/uploads/…` and `/-/project/:id/uploads/…` too, as texts link it. */
export const getUpload = defineEndpoint({
  id: 'project-upload-get',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id/uploads/:upload_id/:filename',
  summary: 'A stored file: raster images to look at, all others to save',
  spec: 'companions 2.3',
  access: project('anyone'),
  params: {
    id: projectId,
    ...storedFile.params,
  },
  ...storedFile.answers,
});

export const uploadEndpoints = [createUpload, getUpload];

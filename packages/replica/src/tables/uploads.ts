import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const uploads: Part = {
  events: { UploadCreated: 1 },
  records: [
    defineRecords({
      kind: 'Upload',
      name: 'uploads',
      about: 'Files that were uploaded to projects, for texts to refer to. The API does not list them.',
      key: ['upload_id'],
      columns: {
        upload_id: text('uploadId', 'Id of the upload: 32 hexadecimal digits, which its address has.'),
        project_id: reference('projectId', 'Id of the project.'),
        filename: text('filename', 'Name of the file, as its address has it.'),
        size: whole('size', 'Bytes of the file.'),
        sha256: text('sha256', 'SHA-256 of the file, in hexadecimal.'),
      },
    }),
  ],
};

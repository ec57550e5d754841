import { described, required, text } from '../params.ts';
import { RASTER_TYPES } from './raster-types.ts';

/** What endpoints share that answer with a stored file, whole or in ranges. */
export const storedFile = {
  params: {
    upload_id: described(required(text({ max: 64 })), 'The 32 hexadecimal digits in its address', {
      examples: ['66dbcd21ec5d24ed6ea225176098d52b'],
    }),
    filename: described(required(text({ max: 1024 })), 'Name of the file, as its address has it', {
      examples: ['sketch.png'],
    }),
  },
  answers: {
    otherStatuses: [206, 304, 416],
    mediaTypes: ['application/octet-stream', ...RASTER_TYPES],
  },
} as const;

import { z } from 'zod';
import { personal } from '../../personal-data.ts';

const sha = (what: string) => z.string().describe(`Commit id of ${what}.`);
const oldLine = z.int().nullable().describe('Line of the old file, from 1; null for an added line.');
const newLine = z.int().nullable().describe('Line of the new file, from 1; null for a removed line.');
const LINE_CODE = 'SHA-1 of the path, and the places of the line in the old and in the new file';

const rangeEnd = z.object({
  lineCode: z.string().nullable().describe(`${LINE_CODE}; null if not given.`),
  kind: z.enum(['old', 'new']).nullable().describe('The side that was chosen; null for both.'),
  oldLine,
  newLine,
});

/** Where in a diff a discussion is. */
export const position = z
  .object({
    kind: z.enum(['text', 'image']).describe('Whether it is on a line, or on a point of an image.'),
    baseSha: sha('the merge base, which the diff starts from'),
    startSha: sha('the tip of the target branch'),
    headSha: sha('the tip of the source branch, which the diff ends at'),
    oldPath: personal(z.string().describe('Path of the file before the change.')),
    newPath: personal(z.string().describe('Path of the file after the change.')),
    oldLine,
    newLine,
    lineCode: z.string().nullable().describe(`${LINE_CODE}; null on an image.`),
    lineRange: z
      .object({
        start: rangeEnd.describe('The first line.'),
        end: rangeEnd.describe('The last line.'),
      })
      .nullable()
      .describe('First and last line, where it is about several; null for one line.'),
    point: z
      .object({
        x: z.int().describe('Pixels from the left.'),
        y: z.int().describe('Pixels from the top.'),
        width: z.int().describe('Width of the image in pixels.'),
        height: z.int().describe('Height of the image in pixels.'),
      })
      .nullable()
      .describe('The point, and the size of the image as it was shown; null on a line.'),
  })
  .nullable()
  .describe('Line or point of a diff that it is about; null for a discussion of the whole.');

export type Position = NonNullable<z.output<typeof position>>;

import { type Decoded, described, hash, int, oneOf, required, text } from '../../params.ts';

const sha = (what: string) =>
  described(required(text({ max: 64 })), `Commit id of ${what}`, {
    pattern: '^[0-9a-f]{40}$',
    examples: ['5937ac0a7beb003549fc5fd26fc247adbce4a52e'],
  });
const line = (side: string) => described(int({ min: 1 }), `Line of the ${side} file`);
const path = (when: string) => described(text({ max: 4096 }), `Path of the file ${when} the change`);

const rangeEnd = (which: string) =>
  described(
    hash({
      line_code: described(text({ max: 255 }), 'Code of the line'),
      type: described(oneOf('old', 'new'), 'The side that was chosen'),
      old_line: line('old'),
      new_line: line('new'),
    }),
    `The ${which} line`,
  );

/** Position of a note in a diff (companions 3). */
export const position = described(
  hash({
    base_sha: sha('the merge base'),
    start_sha: sha('the tip of the target branch'),
    head_sha: sha('the tip of the source branch'),
    position_type: described(required(oneOf('text', 'image')), 'A line, or a point of an image'),
    old_path: path('before'),
    new_path: path('after'),
    old_line: line('old'),
    new_line: line('new'),
    line_range: described(
      hash({ start: rangeEnd('first'), end: rangeEnd('last') }),
      'First and last line of a note on several lines',
    ),
    width: described(int({ min: 0 }), 'Width of the image'),
    height: described(int({ min: 0 }), 'Height of the image'),
    x: described(int({ min: 0 }), 'Column of the point'),
    y: described(int({ min: 0 }), 'Row of the point'),
  }),
  'Line of the diff that it is about: an added line has a new number, a removed one an old number, any other both',
);

export type GivenPosition = NonNullable<Decoded<{ position: typeof position }>['position']>;

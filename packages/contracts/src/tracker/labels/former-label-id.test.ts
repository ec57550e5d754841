import { expect, test } from 'vitest';
import { formerLabelId } from './former-label-id.ts';

test.each([
  [7, 'bug', 5988688345108185],
  [12, 'größer', 8389910186280893],
  [1, '', 4781026151260560],
])(
  'the id of a label of project %i, %j, that was named before labels were records stays',
  (projectId, title, id) => {
    expect(formerLabelId(projectId, title)).toBe(id);
  },
);

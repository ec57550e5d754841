import { commitCommentView } from '@forgelog/contracts/tracker/commit-comments/commit-comment.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { ShownNote } from '../discussions/shown-positions.ts';

export const commitCommentJson = implementView(commitCommentView).from<ShownNote>({
  note: 'text',
  path: given(({ position }: ShownNote) => position?.newPath ?? null),
  line: given(({ position }: ShownNote) => position?.newLine ?? position?.oldLine ?? null),
  line_type: given(({ position }: ShownNote) => sideOf(position)),
  author: user('authorId'),
  created_at: 'createdAt',
});

function sideOf(position: ShownNote['position']): 'new' | 'old' | null {
  if (!position) return null;
  return position.newLine === null ? 'old' : 'new';
}

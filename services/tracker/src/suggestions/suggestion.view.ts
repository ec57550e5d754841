import { suggestionView } from '@forgelog/contracts/tracker/suggestions/suggestion.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';

/** A suggestion as it would be applied now. */
export interface ShownSuggestion {
  id: number;
  noteId: number;
  /** The file's name in the newest diff, or where the suggestion was made if the line has gone. */
  path: string;
  fromLine: number;
  toLine: number;
  fromContent: string;
  toContent: string;
  applied: boolean;
  /** Why it cannot be applied; null if it can be. */
  problem: string | null;
}

export const suggestionJson = implementView(suggestionView).from<ShownSuggestion>({
  id: 'id',
  from_line: 'fromLine',
  to_line: 'toLine',
  appliable: derived(['problem'], (problem: string | null) => problem === null),
  applied: 'applied',
  from_content: 'fromContent',
  to_content: 'toContent',
});

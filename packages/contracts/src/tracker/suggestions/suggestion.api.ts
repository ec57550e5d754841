import { z } from 'zod';
import { defineEndpoint, user } from '../../endpoint.ts';
import { described, int, list, required, text } from '../../params.ts';
import { suggestionView } from './suggestion.views.ts';

/** Suggestions of one commit. */
export const MOST_SUGGESTIONS = 100;

const message = described(
  text({ max: 1024 * 1024 }),
  'Message of the commit, by default that of the project: `%{suggestions_count}` and its like are filled in',
  { examples: ['Apply suggestions'] },
);

export const applySuggestion = defineEndpoint({
  service: 'tracker',
  access: user,
  id: 'suggestion-apply',
  method: 'PUT',
  path: '/suggestions/:id/apply',
  summary: 'Commit a suggestion to the source branch of its merge request',
  spec: 'companions 2.8',
  params: { id: described(required(int()), 'Id of the suggestion'), commit_message: message },
  response: suggestionView,
});

export const applySuggestions = defineEndpoint({
  service: 'tracker',
  access: user,
  id: 'suggestion-batch-apply',
  method: 'PUT',
  path: '/suggestions/batch_apply',
  summary: 'Commit several suggestions to the source branch of a merge request at once',
  spec: 'companions 2.8',
  params: {
    ids: described(required(list(int(), { max: MOST_SUGGESTIONS })), 'Ids of the suggestions', {
      minItems: 1,
      examples: [[420000, 420001]],
    }),
    commit_message: message,
  },
  response: z.array(suggestionView),
});

export const suggestionEndpoints = [applySuggestion, applySuggestions];

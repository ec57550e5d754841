import { applySuggestion, applySuggestions } from '@forgelog/contracts/tracker/suggestions/suggestion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { suggestionCommands } from './suggestion.commands.ts';
import { suggestionJson } from './suggestion.view.ts';

export function suggestionRoutes(ports: ServicePorts): Implementation[] {
  const { apply } = suggestionCommands(ports);
  const view = suggestionJson.renderer(ports);

  return [
    implement(applySuggestion, async (request) => {
      const { id, commit_message } = request.params;
      const [applied] = await apply(request, [id], commit_message);
      return json(view.one(applied!));
    }),

    implement(applySuggestions, async (request) => {
      const { ids, commit_message } = request.params;
      return json(view.list(await apply(request, [...new Set(ids)], commit_message)));
    }),
  ];
}

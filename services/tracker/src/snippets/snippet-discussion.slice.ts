import {
  snippetDiscussions,
  snippetNotes,
} from '@forgelog/contracts/tracker/snippets/snippet-discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { discussionRoutes } from '../discussions/discussion.routes.ts';
import { noteRoutes } from '../discussions/note.routes.ts';
import { discussedSnippets } from './discussed-snippets.ts';
import { snippetReadersProjection } from './snippet-readers.projection.ts';

export const snippetDiscussionSlice = defineSlice<ServicePorts>({
  routes: [
    (ports) => discussionRoutes(ports, discussedSnippets, snippetDiscussions),
    (ports) => noteRoutes(ports, discussedSnippets, snippetNotes),
  ],
  projections: [snippetReadersProjection],
});

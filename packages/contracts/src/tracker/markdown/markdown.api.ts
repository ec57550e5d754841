import { z } from 'zod';
import { anyone, defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './markdown.examples.json' with { type: 'json' };

/** A text as HTML (companions 2.11). */
export const renderedMarkdownView = defineView(
  'RenderedMarkdown',
  { html: z.string() },
  examples.RenderedMarkdown,
);

export const renderMarkdown = defineEndpoint({
  id: 'markdown-render',
  service: 'tracker',
  method: 'POST',
  path: '/markdown',
  summary: 'Render a text as HTML, with references as far as the caller may read what they name',
  spec: 'companions 2.11',
  access: anyone,
  params: {
    text: described(required(text({ max: 100_000 }), { blank: true }), 'The text in Markdown', {
      examples: ['Closed by #1'],
    }),
    gfm: described(
      fallback(bool(), false),
      'Whether references like `#1`, `!2`, `@who`, `~label`, `%milestone` and ids of commits become links',
    ),
    project: described(text({ max: 1024 }), 'Full path or id of the project whose text it is', {
      examples: ['engines/analytical'],
    }),
  },
  status: 201,
  response: renderedMarkdownView,
});

export const markdownEndpoints = [renderMarkdown];

import { answerUnlessRead } from '@forgelog/service-kit/allowed-methods.ts';
import type { RequestHandler } from 'express';
import { sendText } from './docs-page.ts';
import type { PageLook, ReadPageLook } from './page-look.ts';

const USUAL =
  '<p>This server hosts Git repositories, and what a team does around them, behind one REST API.</p>';

const pageOf = ({ title, description, header, footer }: PageLook) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1rem; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
dt { font-weight: 600; }
dd { margin: 0 0 .75rem; }
</style>
</head>
<body>
${header}<h1>${title}</h1>
${description ?? USUAL}
<dl>
<dt><a href="/-/docs">API reference</a></dt>
<dd>Every call, with a form to try it.</dd>
<dt><a href="/api/v4/openapi.json">OpenAPI document</a></dt>
<dd>The same for programs that generate clients.</dd>
<dt><a href="/api/v4/asyncapi.json">AsyncAPI document</a></dt>
<dd>The events that leave this server.</dd>
<dt><a href="/-/readiness">Readiness</a></dt>
<dd>Whether it takes requests now.</dd>
</dl>
<p>With a personal access token in place of <code>TOKEN</code>, and the address of this page in place of <code>SERVER</code>:</p>
<pre>curl -H "PRIVATE-TOKEN: TOKEN" SERVER/api/v4/projects
git clone SERVER/group/project.git</pre>
${footer}</body>
</html>
`;

/** Serves a page to browsers at `/`. Clients that do not accept HTML still get a 404. */
export const startPage =
  (look: ReadPageLook): RequestHandler =>
  (request, response, next) => {
    if (request.path !== '/') return next();
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next();
    if (answerUnlessRead(request, response)) return;
    look().then((found) => sendText(response, 'text/html', pageOf(found)), next);
  };

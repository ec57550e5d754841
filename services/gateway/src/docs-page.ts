import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { answerUnlessRead } from '@forgelog/service-kit/allowed-methods.ts';
import type { RequestHandler } from 'express';
import type { PageLook, ReadPageLook } from './page-look.ts';

const BASE = '/-/docs';
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

const PAGES = new Set(['', 'start.js', ...Object.keys(ASSETS)]);

const pageOf = ({ title, header, footer }: PageLook) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="stylesheet" href="${BASE}/swagger-ui.css">
</head>
<body>
${header}<div id="reference"></div>
<script src="${BASE}/swagger-ui-bundle.js"></script>
<script src="${BASE}/start.js"></script>
${footer}</body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/api/v4/openapi.json', dom_id: '#reference', deepLinking: true,
  docExpansion: 'none', filter: true, persistAuthorization: false, tryItOutEnabled: true });
`;

/** Serves the interactive API reference from local files only; mounted at `BASE`. */
export const docsPage =
  (look: ReadPageLook): RequestHandler =>
  (request, response, next) => {
    const name = request.path.slice(1);
    if (!PAGES.has(name)) response.writeHead(404).end();
    else if (answerUnlessRead(request, response)) return;
    else if (name === '') look().then((found) => sendText(response, 'text/html', pageOf(found)), next);
    else if (name === 'start.js') sendText(response, 'text/javascript', START);
    else {
      response.writeHead(200, { 'Content-Type': ASSETS[name], 'Cache-Control': 'max-age=86400' });
      createReadStream(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))).pipe(response);
    }
  };

export function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy':
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerUnlessRead } from '@forgelog/service-kit/allowed-methods.ts';
import type { RequestHandler } from 'express';
import { sendText } from '../docs-page.ts';
import type { PageLook, ReadPageLook } from '../page-look.ts';

const BASE = '/-/job-page';
const JOB = /^\/.+\/-\/jobs\/\d+$/;

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [`${BASE}/page.js`, './page.js'],
  [`${BASE}/log-lines.js`, './log-lines.js'],
  [`${BASE}/ansi_up.js`, 'ansi_up'],
]);

/** The script asks the API for all that belongs to a project, so the page is the same for everybody. */
const pageOf = ({ header, footer }: PageLook) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Job</title>
<link rel="stylesheet" href="${BASE}/page.css">
<script type="module" src="${BASE}/page.js"></script>
</head>
<body>
${header}<header>
<h1 id="name">Job</h1> <span id="status" role="status"></span>
<p id="facts"></p>
<p id="problem" role="alert" hidden></p>
<form id="sign-in" hidden>
<label>Personal access token that may read this project
<input id="token" type="password" autocomplete="off" required></label>
<button>Show the job</button>
</form>
</header>
<main id="log" aria-label="Log" hidden></main>
<p id="end" hidden><a id="raw">Whole log</a></p>
${footer}</body>
</html>
`;

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }
h1 { display: inline; font-size: 1.4rem; margin-right: .5rem; }
#status { padding: .1rem .5rem; border-radius: 1rem; border: 1px solid currentColor; white-space: nowrap; }
#status:empty { display: none; }
#status.success { color: #108548; }
#status.failed { color: #dd2b0e; }
#status.running, #status.pending { color: #1f75cb; }
#problem { color: #dd2b0e; }
#log { background: #1a1a1a; color: #eee; color-scheme: dark; padding: .75rem; border-radius: .25rem; overflow-x: auto;
  font: .8125rem/1.45 ui-monospace, monospace; }
.line { display: flex; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.45em; }
.line::before { content: attr(data-number); flex: none; width: 3.5rem; padding-right: 1rem;
  text-align: right; color: #888; user-select: none; }
details > :not(summary) { content-visibility: auto; contain-intrinsic-height: auto 1.45em; }
summary { cursor: pointer; }
summary .line { display: inline-flex; width: calc(100% - 5rem); }
summary time { color: #aaa; }
`;

/** Serves the page of a job at its usual address, and the scripts of it. */
export const jobPage =
  (look: ReadPageLook): RequestHandler =>
  (request, response, next) => {
    const { path } = request;
    const script = SCRIPTS.get(path);
    const isStyle = path === `${BASE}/page.css`;
    const isPage = JOB.test(path);
    if (script === undefined && !isStyle && !isPage) return next();
    if (answerUnlessRead(request, response)) return;
    if (isStyle) return sendText(response, 'text/css', STYLE);
    if (isPage) {
      look().then((found) => sendText(response, 'text/html', pageOf(found)), next);
      return;
    }
    response.writeHead(200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    });
    createReadStream(fileURLToPath(import.meta.resolve(script!))).pipe(response);
  };

import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Scope } from '@forgelog/contracts/endpoint.ts';
import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { CONSENT_FIELDS } from './consent-form.ts';
import type { OauthParameters } from './oauth-parameters.ts';

export interface ConsentShown {
  parameters: OauthParameters;
  application: string;
  redirectUri: string;
  scopes: readonly Scope[];
  formToken: string;
  cookie: string;
  /** What was wrong with the form that came before. */
  problem?: { status: number; text: string; headers?: Readonly<Record<string, string>> };
}

const MEANINGS: Readonly<Record<Scope, string>> = {
  api: 'Everything that you can do by the API and git',
  read_user: 'Read your account',
  read_api: 'Read everything that you can read by the API',
  read_repository: 'Clone and fetch your repositories',
  write_repository: 'Push to your repositories',
  read_registry: 'Read registries',
  write_registry: 'Write registries',
  sudo: 'Act as any user, where you are an administrator',
};

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
code { overflow-wrap: anywhere; }
label, input { display: block; width: 100%; box-sizing: border-box; }
input { font: inherit; padding: .4rem; margin-bottom: .75rem; }
button { font: inherit; padding: .4rem 1rem; margin-right: .5rem; }
.problem { color: #dd2b0e; }
`;
const STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

export function sendConsentPage(response: ServerResponse, shown: ConsentShown): void {
  const { parameters, application, redirectUri, scopes, formToken, cookie, problem } = shown;
  const fields = [...CONSENT_FIELDS.map((name) => [name, parameters.text(name)]), ['form_token', formToken]];
  const hidden = fields.flatMap(([name, value]) =>
    value === undefined ? [] : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const body = `<h1>Let ${escapeHtml(application)} act for you?</h1>
<p>It may:</p>
<ul>${scopes.map((scope) => `<li>${MEANINGS[scope]} (<code>${scope}</code>)</li>`).join('')}</ul>
<p>You are sent back to <code>${escapeHtml(redirectUri)}</code>.</p>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem.text)}</p>` : ''}
<form method="post" action="/oauth/authorize">
${hidden.join('\n')}
<label>User name <input name="username" autocomplete="username" required maxlength="255"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in and allow</button>
<button name="_method" value="delete" formnovalidate>Deny</button>
</form>`;
  const headers = { ...problem?.headers, 'Set-Cookie': cookie };
  // Browsers hold the redirect after a form against its targets, too.
  sendPage(response, problem?.status ?? 200, body, `'self' ${sourceOf(redirectUri)}`, headers);
}

/** Shows why there is nothing to consent to: nobody is sent to an address that was not verified. */
export function sendProblemPage(response: ServerResponse, status: number, text: string): void {
  const body = `<h1>This does not work</h1>\n<p class="problem" role="alert">${escapeHtml(text)}</p>`;
  sendPage(response, status, body, "'none'", {});
}

function sendPage(
  response: ServerResponse,
  status: number,
  body: string,
  formTargets: string,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Forgelog</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`);
}

/** Policies know no addresses of version 6, and none but origins. */
function sourceOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return origin !== 'null' && /^[\w.-]+$/.test(hostname) ? origin : protocol;
}

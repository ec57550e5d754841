import type { Answer } from './answer.ts';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A page that a link in a mail leads to: no script, no style, and a form for this server alone. @param body HTML */
export const pageOfMail = (title: string, body: string): Answer => ({
  kind: 'text',
  text: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><body>${body}</body></html>\n`,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
});

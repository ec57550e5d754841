import { METHODS } from '@forgelog/service-kit/allowed-methods.ts';
import cors, { type CorsOptions } from 'cors';
import { isApi } from './api.ts';
import type { GatewayHandler } from './application.ts';
import { isOauthApi } from './oauth/serve-oauth.ts';

const FILE = 'Blob-Id Commit-Id Content-Sha256 Encoding File-Name File-Path Last-Commit-Id Ref Size'.split(
  ' ',
);
/** Response headers that scripts may read beside the default ones. */
const EXPOSED = [
  ...['X-Total', 'X-Total-Pages', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'Link'],
  ...['X-Log-Id', 'X-Log-Epoch'],
  ...[
    'RateLimit-Limit',
    'RateLimit-Observed',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'X-Sentry-Rate-Limits',
  ],
  ...[
    'X-Request-Id',
    'ETag',
    'Location',
    'Allow',
    'Accept-Encoding',
    'WWW-Authenticate',
    'Content-Disposition',
  ],
  ...FILE.flatMap((name) => [`X-Service-${name}`, `X-Gitlab-${name}`]),
];

/**
 * Scripts of any site may call with a token. No answer allows credentials, such as the cookie of a consent page. Two hours is the
 * longest that browsers cache a preflight.
 */
const options: CorsOptions = {
  origin: '*',
  methods: [...METHODS],
  exposedHeaders: EXPOSED,
  maxAge: 7200,
  optionsSuccessStatus: 204,
};
const allow = cors(options);
const allowAndGoOn = cors({ ...options, preflightContinue: true });

export const crossOrigin: GatewayHandler = (request, response, next) => {
  const { origin, 'access-control-request-method': wanted } = request.headers;
  const { path } = response.locals.record;
  if (origin === undefined || !(isApi(path) || isOauthApi(path))) return next();
  if (request.method === 'OPTIONS' && wanted === undefined) return allowAndGoOn(request, response, next);
  return allow(request, response, next);
};

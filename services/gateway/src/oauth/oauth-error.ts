/** A refusal in the form of RFC 6749, 5.2. */
export class OauthError extends Error {
  readonly status: number;
  readonly body: { error: string; error_description: string };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: string, description: string, headers: Record<string, string> = {}) {
    super(description);
    this.status = status;
    this.body = { error, error_description: description };
    this.headers = headers;
  }
}

export const invalidRequest = (description: string) => new OauthError(400, 'invalid_request', description);

export const invalidGrant = () =>
  new OauthError(
    400,
    'invalid_grant',
    'The name or password, the code or the refresh token is wrong, expired, revoked, used already, or not of this client.',
  );

export const invalidScope = () =>
  new OauthError(400, 'invalid_scope', 'The scope is unknown, or more than the application may ask for.');

export const invalidClient = () =>
  new OauthError(401, 'invalid_client', 'The client is unknown, or its secret is wrong or missing.', {
    'WWW-Authenticate': 'Basic realm="Forgelog"',
  });

import { errorTable } from './error-table.ts';

export type ErrorCode = keyof typeof errorTable;
export type ErrorDetails<Code extends ErrorCode> = Parameters<(typeof errorTable)[Code]['body']>[0];

/**
 * A refusal with a row in the table. Deciders and routes throw `new Rejection(code, details)`; only the table knows
 * HTTP. `headers` are sent with it (Retry-After, WWW-Authenticate).
 */
export class Rejection<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Rejection';
  readonly code: Code;
  readonly details: ErrorDetails<Code>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    ...[details, headers]: undefined extends ErrorDetails<Code>
      ? [details?: ErrorDetails<Code>, headers?: Record<string, string>]
      : [details: ErrorDetails<Code>, headers?: Record<string, string>]
  ) {
    super(code);
    this.code = code;
    this.details = details as ErrorDetails<Code>;
    this.headers = headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get body(): object {
    return (errorTable[this.code].body as (details: unknown) => object)(this.details);
  }
}

import { Metadata, status } from '@grpc/grpc-js';

/** A gRPC error: a status, and trailers from which clients tell its kind. */
export interface RpcError {
  code: status;
  details: string;
  metadata: Metadata;
}

function rpcError(code: status, details: string, trailers: Readonly<Record<string, string>> = {}): RpcError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) {
    // A header holds only visible ASCII; omit other names rather than corrupt them.
    if (/^[\x20-\x7e]*$/.test(value)) metadata.set(key, value);
  }
  return { code, details, metadata };
}

export const rpcErrors = {
  notReady: () => rpcError(status.UNAVAILABLE, 'Server Is Not Ready'),
  timeout: () => rpcError(status.ABORTED, 'Operation timed out'),
  accessDenied: () => rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  notLeader: (host: string, port: number) =>
    rpcError(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  streamDeleted: (stream: string) =>
    rpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
  wrongExpectedVersion: (stream: string, expected: number, actual: number | null) =>
    rpcError(status.FAILED_PRECONDITION, `Append failed due to WrongExpectedVersion. Stream: ${stream}`, {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': actual === null ? '' : String(actual),
    }),
  invalidTransaction: () =>
    rpcError(status.INVALID_ARGUMENT, 'Invalid Transaction', { exception: 'invalid-transaction' }),
  appendTooLarge: (limit: number) =>
    rpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(limit),
    }),
  metadataMissing: (property: string) =>
    rpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    }),
  invalid: (what: string) => rpcError(status.INVALID_ARGUMENT, what),
  unimplemented: (what: string) =>
    rpcError(status.UNIMPLEMENTED, `The development server does not know ${what}`),
};

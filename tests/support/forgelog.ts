import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { type System, startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { onTestFinished } from 'vitest';
import { storesUnderTest } from './stores.ts';

/** What came back: JSON bodies parsed, others as text. */
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
  text: string;
}

export interface CallOptions {
  token?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  body?: string | Buffer | FormData | URLSearchParams;
  headers?: Record<string, string>;
}

/** How tests speak to a Forgelog: over its socket. */
export interface Calls {
  /** Calls `/api/v4` + path, as root unless told otherwise (`token: null`: anonymous). */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, json?: unknown, options?: CallOptions): Promise<Reply>;
  put(path: string, json?: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, options?: CallOptions): Promise<Reply>;
}

/** A whole Forgelog on its own data folder and port. */
export interface Forgelog extends Calls {
  url: string;
  rootToken: string;
  system: System;
  dataDir: string;
  stop(): Promise<void>;
}

export const ROOT_TOKEN = 'root-token-of-the-tests-1234';

/** Starts one for a test file or a test; every answer that it gives is held against its contract. */
export async function startForgelog(
  options: { environment?: Record<string, string>; dataDir?: string; clock?: () => Date } = {},
): Promise<Forgelog> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'forgelog-test-')));
  const broken: string[] = [];
  const configuration = readConfiguration({
    PORT: '0',
    DATA_DIR: dataDir,
    ROOT_TOKEN,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...options.environment,
  });
  const system = await startSystem({
    configuration,
    log: createLogger(configuration),
    openStores: storesUnderTest,
    clock: options.clock,
    observe: (endpoint, status, body) => {
      const problem = holdAgainstContract(endpoint, status, body);
      if (problem) broken.push(problem);
    },
  });
  return {
    url: system.address,
    rootToken: ROOT_TOKEN,
    system,
    dataDir,
    ...callsTo(system.address, broken),
    async stop() {
      await system.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      if (broken.length > 0) throw new Error(broken.join('\n'));
    },
  };
}

/** Calls to what listens at `address`; what broke its contract meanwhile fails the call. */
export function callsTo(address: string, broken: string[]): Calls {
  const call: Calls['call'] = async (method, path, given = {}) => {
    const headers: Record<string, string> = { ...given.headers };
    const token = given.token === undefined ? ROOT_TOKEN : given.token;
    if (token !== null) headers['PRIVATE-TOKEN'] = token;
    let { body } = given;
    if (given.json !== undefined) {
      headers['Content-Type'] = 'application/json';
      body = JSON.stringify(given.json);
    } else if (given.form) body = new URLSearchParams(given.form);
    const response = await fetch(`${address}/api/v4${path}`, {
      method,
      headers,
      body,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (broken.length > 0) throw new Error(broken.splice(0).join('\n'));
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    };
  };
  return {
    call,
    get: (path, given) => call('GET', path, given),
    post: (path, json, given) => call('POST', path, { json, ...given }),
    put: (path, json, given) => call('PUT', path, { json, ...given }),
    delete: (path, given) => call('DELETE', path, given),
  };
}

/** One for a single test, stopped with it. */
export async function forgelogForTest(options?: Parameters<typeof startForgelog>[0]): Promise<Forgelog> {
  const forgelog = await startForgelog(options);
  onTestFinished(() => forgelog.stop());
  return forgelog;
}

/** What an answer breaks of its contract, null when it keeps it. Refusals have their own table. */
export function holdAgainstContract(
  endpoint: AnyEndpoint,
  status: number,
  body: string | null,
): string | null {
  if (status >= 300) return null;
  if (endpoint.response === null)
    return body === null || body === '' ? null : `${endpoint.id}: a body where none belongs`;
  const parsed = endpoint.response.safeParse(body === null ? undefined : JSON.parse(body));
  if (parsed.success) return null;
  const issues = parsed.error.issues.slice(0, 8).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return `${endpoint.id} answered ${status} against its contract:\n  ${issues.join('\n  ')}\n  ${body?.slice(0, 400)}`;
}

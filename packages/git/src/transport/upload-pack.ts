/** The reading half of git over HTTP: the advertisement of refs, and packs. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { packedBytes } from '../packs/pack-files.ts';
import { fetchConfig, type GitPolicy, pushConfig } from '../process/command-environment.ts';
import { outputStream } from '../process/command-stream.ts';
import type { RunOptions } from '../process/git-runner.ts';
import type { RunningCommand } from '../process/supervisor-client.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { keyOfClone } from './clone-key.ts';
import { answerLsRefs } from './ls-refs.ts';
import { readRequest, type WholeRequest } from './protocol-request.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

export interface ServiceOptions {
  /** The request's `Git-Protocol` header. */
  protocol?: string;
  /** Fires when the client disconnects, which ends git's process group. */
  signal?: AbortSignal;
  /** Milliseconds; default an hour. */
  deadlineMs?: number;
  /** Further namespaces that this client does not see. */
  hiddenRefs?: readonly string[];
  maxPackBytes?: number;
}

const HOUR_MS = 3_600_000;
const VERSION_2 = 'version=2';

/** Only the version of a `Git-Protocol` header is passed to git. */
export function protocolEnvironment(header: string | undefined): Record<string, string> {
  const version = /(?:^|:)version=([0-2])(?::|$)/.exec(header ?? '')?.[1];
  return version === undefined ? {} : { GIT_PROTOCOL: `version=${version}` };
}

/** Body of `GET info/refs?service=…`, byte for byte what `git http-backend` sends. */
export async function advertise(
  context: RepositoryContext,
  { ...policy }: GitPolicy,
  service: GitService,
  options: ServiceOptions = {},
): Promise<Readable> {
  policy.hiddenRefs = [...policy.hiddenRefs, ...(options.hiddenRefs ?? [])];
  const config = service === 'git-upload-pack' ? fetchConfig(policy) : pushConfig(policy);
  const args = [service.slice('git-'.length), '--stateless-rpc', '--http-backend-info-refs', context.gitDir];
  const env = protocolEnvironment(options.protocol);
  const { signal, deadlineMs = 60_000 } = options;
  const run = { config, env, signal, deadlineMs };
  if (service === 'git-upload-pack' && env.GIT_PROTOCOL === VERSION_2)
    return Readable.from([await capabilities(context, args, run)], { objectMode: false });
  const command = await context.runner.start(context, args, false, run);
  const output = outputStream(command, args);
  // Version 2 has no header for either service, as in http-backend.
  if (env.GIT_PROTOCOL === VERSION_2) return output;
  const line = `# service=${service}\n`;
  const header = Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`);
  async function* both() {
    yield header;
    yield* output;
  }
  const stream = Readable.from(both(), { objectMode: false });
  stream.once('close', () => output.destroy());
  return stream;
}

/** git's capabilities, equal for all repositories. They are refreshed now and then, since git may be upgraded. */
async function capabilities(context: RepositoryContext, args: string[], run: RunOptions): Promise<Buffer> {
  await stat(join(context.gitDir, 'HEAD'));
  const known = context.answers.get(CAPABILITIES) as { said: Buffer; at: number } | undefined;
  if (known && performance.now() - known.at < CAPABILITIES_MS) return known.said;
  const said = (await context.runner.capture(context, args, run)).stdout;
  context.answers.set(CAPABILITIES, { said, at: performance.now() }, 1000);
  return said;
}

const CAPABILITIES = 'capabilities of protocol version 2';
const CAPABILITIES_MS = 60_000;

/** Body of `POST git-upload-pack`. `body` must have been decoded (gzip) by the caller. */
export async function uploadPack(
  context: RepositoryContext,
  { ...policy }: GitPolicy,
  body: Readable,
  options: ServiceOptions = {},
): Promise<Readable> {
  policy.hiddenRefs = [...policy.hiddenRefs, ...(options.hiddenRefs ?? [])];
  if (protocolEnvironment(options.protocol).GIT_PROTOCOL !== VERSION_2)
    return packByGit(context, policy, body, options);
  const { whole, body: again } = await readRequest(body);
  const answer = whole && (await answerWithoutGit(context, policy, whole, options));
  if (!answer) return packByGit(context, policy, again, options);
  body.resume(); // so that the request can end
  return answer;
}

/** Returns undefined if git must answer. */
async function answerWithoutGit(
  context: RepositoryContext,
  policy: GitPolicy,
  { request, bytes }: WholeRequest,
  options: ServiceOptions,
): Promise<Readable | undefined> {
  if (request.command === 'ls-refs') {
    const refs = await answerLsRefs(context, policy, request);
    return refs && Readable.from([refs], { objectMode: false });
  }
  const key = await keyOfClone(context, policy, request);
  if (key === undefined) return undefined;
  return context.clones.read({
    key,
    owner: context.gitDir,
    bytes: () => packedBytes(join(context.gitDir, 'objects')),
    async make(signal) {
      const command = await startUploadPack(context, policy, { ...options, signal });
      command.stdin!.end(bytes);
      const isGood = async () => (await command.exit).code === 0;
      return { output: outputStream(command, UPLOAD_PACK, TOLD), isGood };
    },
    signal: options.signal,
  });
}

async function packByGit(
  context: RepositoryContext,
  policy: GitPolicy,
  body: Readable,
  options: ServiceOptions,
): Promise<Readable> {
  const command = await startUploadPack(context, policy, options);
  feed(body, command);
  return outputStream(command, UPLOAD_PACK, TOLD);
}

const UPLOAD_PACK = ['upload-pack', '--stateless-rpc'];
/** With exit code 128 git has told the client the problem in the stream. */
const TOLD = [0, 128];

function startUploadPack(
  context: RepositoryContext,
  policy: GitPolicy,
  { protocol, signal, deadlineMs = HOUR_MS }: ServiceOptions,
): Promise<RunningCommand> {
  const env = protocolEnvironment(protocol);
  const run = { config: fetchConfig(policy), env, signal, deadlineMs, weight: 'heavy' } as const;
  return context.runner.start(context, [...UPLOAD_PACK, context.gitDir], true, run);
}

/** Pipes the body to git, which may stop reading early; `brokenOff` is called if the body breaks off. */
export function feed(
  body: Readable,
  command: Pick<RunningCommand, 'stdin' | 'kill'>,
  brokenOff = command.kill,
) {
  const stdin = command.stdin!;
  body.on('error', brokenOff);
  body.on('close', () => {
    if (!body.readableEnded) brokenOff();
  });
  stdin.on('close', () => {
    body.unpipe(stdin);
    body.resume(); // so that the request can end
  });
  // The body may have broken off while git started.
  if (body.destroyed && !body.readableEnded) command.kill();
  else body.pipe(stdin);
}

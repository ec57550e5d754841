import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import { onTestFinished } from 'vitest';
import type { Calls } from './calls.ts';
import { git } from './stock-git.ts';

/** A runner as the server sees one: it registers, polls, and executes jobs with real git and a real shell. */
export interface ProtocolRunner {
  id: number;
  token: string;
  /** Undefined where there is none; with `lastUpdate` the server holds the request. */
  request(lastUpdate?: string): Promise<JobResponse | undefined>;
  /** Clones as the response says, and gives the folder. */
  clone(job: JobResponse): Promise<string>;
  run(job: JobResponse, folder: string): Promise<{ code: number; log: string }>;
  /** Adds a piece of the log that begins there. */
  trace(job: JobResponse, start: number, piece: string): ReturnType<Calls['call']>;
  update(job: JobResponse, body: object): ReturnType<Calls['call']>;
  /** Uploads an archive, or a report of this type, packed. */
  upload(job: JobResponse, file: Buffer, report?: string): ReturnType<Calls['call']>;
}

export async function registerRunner(
  forgelog: Calls,
  token: string,
  attributes: object = {},
): Promise<ProtocolRunner> {
  const anonymous = { token: null };
  const registered = await forgelog.post('/runners', { token, run_untagged: true, ...attributes }, anonymous);
  if (registered.status !== 201) throw new Error(`${registered.status} ${registered.text}`);
  const own: { id: number; token: string } = registered.body;

  return {
    ...own,
    async request(lastUpdate) {
      const asked = { token: own.token, info: { name: 'protocol' }, last_update: lastUpdate };
      const answer = await forgelog.post('/jobs/request', asked, anonymous);
      if (answer.status === 204) return undefined;
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body;
    },

    async clone({ git_info: { repo_url, refspecs, depth, sha } }) {
      const folder = await mkdtemp(join(tmpdir(), 'forgelog-job-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await git(folder, 'init', '-q');
      await git(folder, 'remote', 'add', 'origin', repo_url);
      await git(folder, 'fetch', '-q', ...(depth > 0 ? [`--depth=${depth}`] : []), 'origin', ...refspecs);
      await git(folder, 'checkout', '-q', sha);
      return folder;
    },

    run({ steps, variables }, folder) {
      const env = Object.fromEntries(variables.map(({ key, value }) => [key, value]));
      const script = steps.find(({ name }) => name === 'script')!.script.join('\n');
      const child = spawn('sh', ['-e', '-c', script], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let log = '';
      for (const output of [child.stdout, child.stderr])
        output.setEncoding('utf8').on('data', (text: string) => {
          log += text;
        });
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code) => resolve({ code: code ?? -1, log }));
      });
    },

    trace(job, start, piece) {
      const range = `${start}-${start + Buffer.byteLength(piece) - 1}`;
      return forgelog.call('PATCH', `/jobs/${job.id}/trace`, {
        ...anonymous,
        body: piece,
        headers: { 'Content-Type': 'text/plain', 'Content-Range': range, 'JOB-TOKEN': job.token },
      });
    },

    update: (job, body) => forgelog.put(`/jobs/${job.id}`, { token: job.token, ...body }, anonymous),

    upload(job, file, report) {
      const form = new FormData();
      form.append('file', new Blob([Uint8Array.from(file)]), report ? `${report}.gz` : 'artifacts.zip');
      const described = report ? `${report}&artifact_format=gzip` : 'archive&artifact_format=zip';
      const path = `/jobs/${job.id}/artifacts?artifact_type=${described}`;
      return forgelog.call('POST', path, { ...anonymous, body: form, headers: { 'JOB-TOKEN': job.token } });
    },
  };
}

import { httpRequest } from './load.ts';
import type { ProductRepository } from './product-repository.ts';

/** A request of a runner for a job, which is answered at once. */
export const jobRequest = (token: string): string =>
  httpRequest(
    'POST',
    '/api/v4/jobs/request',
    { 'Content-Type': 'application/json' },
    JSON.stringify({ token }),
  );

export async function instanceToken({ call }: ProductRepository): Promise<string> {
  return ((await call('POST', '/runners/reset_registration_token')) as { token: string }).token;
}

/** Returns the token of a new runner, of the project where no other registration token is given. */
export async function registerRunner({ call, id }: ProductRepository, token?: string): Promise<string> {
  const given = token ?? ((await call('GET', `/projects/${id}`)) as { runners_token: string }).runners_token;
  return ((await call('POST', '/runners', { token: given, run_untagged: true })) as { token: string }).token;
}

/** Commits a configuration, and waits until so many of its jobs are pending. */
export async function configure(project: ProductRepository, content: string, pending: number): Promise<void> {
  await project.commit('Configure', 'create', [{ path: '.gitlab-ci.yml', content }]);
  await until(async () => (await jobsOf(project, 'pending', pending)) > 0);
}

/** Whether a project has so many jobs of a status: 1 or 0. */
async function jobsOf({ call, id }: ProductRepository, status: string, count: number): Promise<number> {
  const last = `/projects/${id}/jobs?scope[]=${status}&per_page=1&page=${count}`;
  return ((await call('GET', last)) as unknown[]).length;
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
}

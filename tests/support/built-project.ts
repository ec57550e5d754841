import { expect } from 'vitest';
import { type Forgelog, forgelogForTest } from './forgelog.ts';
import { type ProtocolRunner, registerRunner } from './protocol-runner.ts';

export interface BuiltProject {
  id: number;
  path_with_namespace: string;
  runners_token: string;
  http_url_to_repo: string;
}

/** A project whose pipeline has begun, and a runner of it. */
export async function startBuilt(
  configuration: string,
  { forgelog, runner = {} }: { forgelog?: Forgelog; runner?: object } = {},
): Promise<{ forgelog: Forgelog; project: BuiltProject; runner: ProtocolRunner }> {
  const on = forgelog ?? (await forgelogForTest({ environment: { CI_LONG_POLL_SECONDS: '30' } }));
  const { body: project } = await on.post('/projects', {
    path: `built-${Math.random().toString(36).slice(2)}`,
  });
  const registered = await registerRunner(on, project.runners_token, runner);
  await commitConfiguration(on, project, configuration);
  return { forgelog: on, project, runner: registered };
}

/** The first commit of a project. Its pipeline is there afterwards. */
export async function commitConfiguration(
  forgelog: Forgelog,
  { id }: BuiltProject,
  content: string,
): Promise<void> {
  const path = `/projects/${id}/repository/files/.gitlab-ci.yml`;
  const written = await forgelog.post(path, { branch: 'main', commit_message: 'Configure', content });
  expect(written.status).toBe(201);
  await forgelog.system.projectors.policiesIdle();
}

/** Statuses of the jobs of a project by name. */
export const statusesOf = async (forgelog: Forgelog, { id }: BuiltProject) =>
  Object.fromEntries(
    (await forgelog.get(`/projects/${id}/jobs`)).body.map((job: { name: string; status: string }) => [
      job.name,
      job.status,
    ]),
  );

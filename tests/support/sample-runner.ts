import type { CallContext } from '../fixtures/fixture.ts';

/** A runner of a project of the caller's own. */
export async function ownRunner({
  caller,
  post,
  unique,
}: CallContext): Promise<{ id: number; token: string }> {
  const project = await post('/projects', { path: unique('built') }, caller);
  const wanted = { runner_type: 'project_type', project_id: project.id, run_untagged: true };
  return post('/user/runners', wanted, caller);
}

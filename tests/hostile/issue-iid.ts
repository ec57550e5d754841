import type { CallContext } from './fixture.ts';

/** The number of the place's issue, or of a new one. */
export async function issueIid({ fresh, place, project, post, unique }: CallContext): Promise<number> {
  if (!fresh) return place.issueIid;
  return (await post(`${project}/issues`, { title: unique('issue') })).iid;
}

import type { Calls } from './calls.ts';

export interface TestUser {
  id: number;
  username: string;
  email: string;
  /** A personal access token of his with scope api, unless told otherwise. */
  token: string;
}

let counter = 0;

/** A user with a token, made through the API; names are new in each call unless given. */
export async function createUser(
  forgelog: Calls,
  given: { username?: string; scopes?: string[]; [attribute: string]: unknown } = {},
): Promise<TestUser> {
  const { username = `user${++counter}`, scopes, ...attributes } = given;
  const email = (attributes.email as string | undefined) ?? `${username}@example.org`;
  const body = { username, name: username, email, force_random_password: true, skip_confirmation: true };
  const user = await forgelog.post('/users', { ...body, ...attributes });
  if (user.status !== 201) throw new Error(`user ${username} was not created: ${user.text}`);
  return { id: user.body.id, username, email, token: await createToken(forgelog, user.body.id, scopes) };
}

export async function createToken(
  forgelog: Calls,
  userId: number,
  scopes: string[] = ['api'],
  expires_at?: string,
): Promise<string> {
  const token = await forgelog.post(`/users/${userId}/personal_access_tokens`, {
    name: 'test',
    scopes,
    expires_at,
  });
  if (token.status !== 201) throw new Error(`token of ${userId} was not created: ${token.text}`);
  return token.body.token;
}

export interface TestGroup {
  id: number;
  path: string;
  fullPath: string;
}

/** A group made through the API by root, or by the one whose `token` is given, who becomes its owner. */
export async function createGroup(
  forgelog: Calls,
  given: { path?: string; token?: string; parent_id?: number; [attribute: string]: unknown } = {},
): Promise<TestGroup> {
  const { path = `group${++counter}`, token, ...attributes } = given;
  const group = await forgelog.post('/groups', { name: path, path, ...attributes }, { token });
  if (group.status !== 201) throw new Error(`group ${path} was not created: ${group.text}`);
  return { id: group.body.id, path, fullPath: group.body.full_path };
}

import { type AnyEndpoint, SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import type { Place, Role, World } from './world.ts';

/**
 * Who may call an endpoint: written from the specification, by hand, and not from the contract that it is held
 * against.
 *
 * - `anyone`, `user` (signed in), `administrator`;
 * - in a project or group: `visible` (everyone who sees it, anonymous callers included), `code` (the same, and its
 *   code: guests of a private project do not see that), `signed-in` (every user who sees it), or the least role.
 *
 * Some callers may do more with their own things (the author of a note): the row is about what is another's.
 * Refusals have one shape each: 401 for anonymous callers, 404 where the place is hidden, 403 where it is not.
 */
export type Needs =
  | 'anyone'
  | 'user'
  | 'administrator'
  | `${'project' | 'group'} ${'visible' | 'signed-in' | Role}`
  | 'project code';

/** Which tokens will do: any one of these scopes. */
export const SCOPES_OF = {
  read: ['api', 'read_api'],
  write: ['api'],
  user: ['api', 'read_api', 'read_user'],
  code: ['read_repository', 'api', 'read_api'],
  any: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export type RightsRow = readonly [needs: Needs, scopes: keyof typeof SCOPES_OF];

/** A caller whose own things are meant, where an endpoint is about those. */
export interface Caller {
  id: number;
  token: string;
}

/** What a record of a project is made with: calls alone, so that any suite can make one. */
export interface ProjectContext {
  /** `/projects/<id>` of the project. */
  project: string;
  /** The word with a number that no other call has. */
  unique(word: string): string;
  /** Posts as whoever may change the project. @throws Error unless it succeeds */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  post(path: string, body?: object): Promise<any>;
}

/** What a value of a valid call is made from. */
export interface CallContext extends ProjectContext {
  endpoint: AnyEndpoint;
  world: World;
  place: Place;
  /** Whether the call needs records of its own, so that it can be made again and again. */
  fresh: boolean;
  caller: Caller;
  /** `/groups/<id>` of the place. */
  group: string;
  /** Posts as root, or as the caller given. @throws Error unless it succeeds */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  post(path: string, body?: object, as?: Caller): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  get(path: string): Promise<any>;
  /** A new user. */
  user(word: string): Promise<Caller>;
}

export type PathValue = string | number;
type Value = string | number | boolean | readonly unknown[];
type Maker<T, Context = CallContext> = (context: Context) => T | Promise<T>;

/** What the hostile suites need to know of a slice: a file each, which they find by themselves. */
export interface Fixture {
  /** A row for each endpoint of the slice. */
  rights: Readonly<Record<string, RightsRow>>;
  /**
   * Records of a project by the path parameter that names them. One is made in each place and kept there; calls that
   * change or delete it get one of their own. Suites that fill a project make them too (`fillProject`): lists need some
   * to page through, and a deleted project takes them along.
   */
  inProject?: Readonly<Record<string, Maker<PathValue, ProjectContext>>>;
  /** Records that need more than a project, in the same way; a name that is in both is made by this one. */
  records?: Readonly<Record<string, Maker<PathValue>>>;
  /** Path parameters that name no record of a place. */
  path?: Readonly<Record<string, PathValue | Maker<PathValue>>>;
  /** Values of parameters in query or body. */
  values?: Readonly<Record<string, Value | Maker<Value>>>;
  /** Parameters that an endpoint needs although its contract lets them be absent. */
  wanted?: Readonly<Record<string, readonly string[]>>;
}

export const fixture = (fixture: Fixture): Fixture => fixture;

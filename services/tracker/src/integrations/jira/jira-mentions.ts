import { CLOSING_VERB } from '../../merge-requests/closing-pattern.ts';
import type { HookBody } from '../courier.ts';

/** An issue of Jira that a commit or a merge request names. */
export interface JiraMention {
  key: string;
  /** Whether it is done with this: a commit of the default branch, or a merge into it, says so. */
  isClosing: boolean;
  /** `commit 0a1b2c3d of engines/crank` */
  what: string;
  title: string;
  url: string;
  by: { name: string; username: string | null };
}

const KEY = '(?<![\\w-])[A-Z][A-Z0-9_]{1,49}-\\d{1,10}\\b';
const EACH = new RegExp(KEY, 'g');
const CLOSING = new RegExp(
  `\\b(?:${CLOSING_VERB}):?[ \\t]{1,10}((?:issues? )?${KEY}(?:(?: ?,? and | ?, ?| )(?:issues? )?${KEY}){0,20})`,
  'g',
);
const MOST_TEXT = 100_000;
/** Issues that one event tells of. */
const MOST_MENTIONS = 50;
const SHORT = 8;

export const keysIn = (text: string): string[] => [
  ...new Set(Array.from(text.slice(0, MOST_TEXT).matchAll(EACH), ([key]) => key)),
];

export const closedKeysIn = (text: string): string[] => [
  ...new Set(Array.from(text.slice(0, MOST_TEXT).matchAll(CLOSING), ([, keys]) => keysIn(keys!)).flat()),
];

/** What hooks are told, as issues that it names. */
export function mentionsIn(bodies: readonly HookBody[]): JiraMention[] {
  return bodies
    .flatMap((body) => {
      if (body.object_kind === 'push') return ofPush(body);
      return body.object_kind === 'merge_request' ? ofMergeRequest(body) : [];
    })
    .slice(0, MOST_MENTIONS);
}

function mentions(
  text: string,
  closes: boolean,
  about: Omit<JiraMention, 'key' | 'isClosing'>,
): JiraMention[] {
  const closed = closes ? closedKeysIn(text) : [];
  return keysIn(text).map((key) => ({ key, isClosing: closed.includes(key), ...about }));
}

function ofPush({ ref, project, commits, user_name, user_username }: HookBody): JiraMention[] {
  const isDefault = ref === `refs/heads/${project.default_branch}`;
  const by = { name: user_name || 'Somebody', username: user_username || null };
  return (commits as HookBody[]).flatMap(({ id, message, title, url }) =>
    mentions(message, isDefault, {
      ...{ what: `commit ${String(id).slice(0, SHORT)} of ${project.path_with_namespace}`, title, url, by },
    }),
  );
}

function ofMergeRequest({ object_attributes: about, project, changes, user }: HookBody): JiraMention[] {
  const { action, iid, title, description, url, target_branch } = about;
  const isEdit = action === 'update' && (changes?.title || changes?.description);
  if (!isEdit && !['open', 'reopen', 'merge'].includes(action)) return [];
  const isDone = action === 'merge' && target_branch === project.default_branch;
  const by = { name: user?.name ?? 'Somebody', username: user?.username ?? null };
  return mentions(`${title}\n${description ?? ''}`, isDone, {
    ...{ what: `merge request !${iid} of ${project.path_with_namespace}`, title, url, by },
  });
}

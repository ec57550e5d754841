import type { Directory } from '@forgelog/directory/directory.ts';
import type { PlaceholderKind } from '@forgelog/service-kit/service.ts';
import { CLOSER } from './issue.view.ts';

/** The user who closed an issue, null once they are deleted [L66]. Elsewhere a deleted user shows as a ghost. */
export function closerPlaceholder(directory: Directory): PlaceholderKind {
  const users = directory.placeholders.find(({ kind }) => kind === 'u')!;
  const closer = (view: string) => (view.includes('"username":"ghost"') ? 'null' : view);
  return {
    kind: CLOSER,
    resolve(id) {
      const view = users.resolve(id);
      return view && closer(view);
    },
    load: async (ids) => new Map([...(await users.load(ids))].map(([id, view]) => [id, closer(view)])),
  };
}

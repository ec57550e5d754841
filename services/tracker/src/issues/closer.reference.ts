import type { Directory } from '@forgelog/directory/directory.ts';
import type { ReferenceKind } from '@forgelog/service-kit/service.ts';
import { CLOSER } from './ready-issue.ts';

/** Whoever closed an issue is named while he exists [L66]; others who are gone go on as ghosts. */
export function closerReference(directory: Directory): ReferenceKind {
  const users = directory.references.find(({ kind }) => kind === 'u')!;
  return {
    kind: CLOSER,
    resolve(id) {
      const view = users.resolve(id);
      return view?.includes('"username":"ghost"') ? 'null' : view;
    },
    load: (ids) => users.load(ids),
  };
}

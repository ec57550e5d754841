import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { WikiPageCreated, WikiPageDeleted, WikiPageUpdated } from './wiki-page.events.ts';

export const wikiPageLifetime = defineLifetime({
  kind: 'WikiPage',
  id: ['wikiPageId'],
  begins: [begins(WikiPageCreated)],
  changes: changedBy(WikiPageUpdated),
  ends: [endsWith(WikiPageDeleted, ['wikiPageId']), endsWith(ProjectDeleted, ['projectId'])],
});

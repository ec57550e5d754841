import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import {
  GroupWikiPageCreated,
  GroupWikiPageDeleted,
  GroupWikiPageUpdated,
} from './group-wiki-page.events.ts';
import { WikiPageCreated, WikiPageDeleted, WikiPageUpdated } from './wiki-page.events.ts';

export const wikiPageLifetime = defineLifetime({
  kind: 'WikiPage',
  id: ['wikiPageId'],
  begins: [
    begins(WikiPageCreated, { fixed: { groupId: null } }),
    begins(GroupWikiPageCreated, { fixed: { projectId: null } }),
  ],
  changes: changedBy(WikiPageUpdated, GroupWikiPageUpdated),
  ends: [
    endsWith(WikiPageDeleted, ['wikiPageId']),
    endsWith(GroupWikiPageDeleted, ['wikiPageId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});

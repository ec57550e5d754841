import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { groupId, projectId } from '../../shared/event.fields.ts';
import examples from './wiki-commit.events.examples.json' with { type: 'json' };

/** What it does with pages is told by the events of pages that follow it at once. */
const commit = {
  pushed: personal(z.string().describe('The commit, as git has it.')),
  pageEvents: z.int().describe('So many events after this one are of the same commit.'),
  files: z
    .array(
      z.object({
        path: personal(z.string().describe('Path of the file.')),
        content: personal(
          z.string().nullable().describe('Its bytes from now on in Base64; null where it ends or is a page.'),
        ),
      }),
    )
    .describe('What it does with files that are no pages.'),
};

const common = { version: 1, service: 'repo', audit: 'content', activity: 'unnamed' } as const;

export const WikiCommitPushed = defineEvent({
  ...common,
  type: 'WikiCommitPushed',
  subject: 'wiki-<projectId>',
  description: 'A commit was pushed to the wiki of a project.',
  example: examples.WikiCommitPushed,
  schema: z.object({ projectId, ...commit }),
});

export const GroupWikiCommitPushed = defineEvent({
  ...common,
  type: 'GroupWikiCommitPushed',
  subject: 'group-wiki-<groupId>',
  description: 'A commit was pushed to the wiki of a group.',
  example: examples.GroupWikiCommitPushed,
  schema: z.object({ groupId, ...commit }),
});

export const wikiCommitEvents = [WikiCommitPushed, GroupWikiCommitPushed] as const;
export type WikiCommitEvent = EventOf<(typeof wikiCommitEvents)[number]>;

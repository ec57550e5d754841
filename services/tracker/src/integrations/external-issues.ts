import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type IntegrationRow, integrations } from './integrations.projection.ts';
import { textOf } from './wanted-message.rules.ts';

/** Slugs of trackers where issues can be read. */
const TRACKERS = ['custom-issue-tracker', 'jira'];

/** Finds where an issue of a project's own tracker is, by its number or key there. */
export function externalIssues(readStore: Pick<ReadStore, 'find'>) {
  return async (projectId: number, name: string): Promise<{ url: string; title: string } | undefined> => {
    const where = and(eq('projectId', projectId), oneOf('slug', TRACKERS), eq('disabled', false));
    const [row] = await readStore.find(integrations, { where, sort: [asc('id')], limit: 1 });
    return row && (row.slug === 'jira' ? inJira(row, name) : inTracker(row, name));
  };
}

const inJira = (row: IntegrationRow, name: string) => ({
  url: `${textOf(row, 'url').replace(/\/+$/, '')}/browse/${name}`,
  title: 'Issue in Jira',
});

function inTracker(row: IntegrationRow, name: string) {
  const about = textOf(row, 'description');
  const title = `Issue in ${textOf(row, 'title') || 'the issue tracker'}${about === '' ? '' : `: ${about}`}`;
  return { url: textOf(row, 'issues_url').replaceAll(':id', name), title };
}

import type { WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import { describeWikiPage } from '@forgelog/contracts/repo/wikis/wiki-page.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { wikiPages, wikiTexts } from './wiki-pages.projection.ts';

export function wikiPageOperations({ readStore }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(describeWikiPage, async ({ request }) => {
      const [row] = await readStore.find(wikiPages, describedRow(request));
      const text = row && (await readStore.get(wikiTexts, row.id));
      if (!row || !text) return { page: null };
      const { id, projectId, slug, format } = row;
      return {
        page: { id, projectId: projectId!, slug, format: format as WikiFormat, content: text.content },
      };
    }),
  ];
}

import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Condition, SortKey } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf, type Ranking } from '@forgelog/service-kit/pagination.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { issueJson } from './issue.view.ts';
import { issues } from './issues.collection.ts';
import { shownBeside } from './shown-beside.query.ts';

interface Wanted {
  where: Condition;
  /** Put for counting. */
  counted?: Condition | undefined;
  sort: readonly SortKey[];
  /** Those that meet this come first. */
  first?: Condition | undefined;
  rankings?: readonly Ranking[] | undefined;
  /** Among those of other projects: references are then the full ones. */
  across: boolean;
  /** Labels as objects. */
  detailed?: boolean;
}

/** Answers with pages of issues. */
export function issuePages(ports: ServicePorts) {
  const { readStore } = ports;
  const view = issueJson.renderer(ports);
  return async (
    { page, principal }: Pick<ApiRequest, 'principal' | 'page'>,
    { where, counted, sort, first, rankings, across, detailed = false }: Wanted,
  ): Promise<Answer> => {
    const { documents, next } = await pageOf(readStore, issues, {
      ...{ where, counted, sort, first, rankings, page, select: issueJson.columns },
    });
    const items = view.list(documents, {
      across,
      ...(await shownLabels(readStore, documents, { detailed })),
      ...(await shownBeside(ports, documents, principal)),
    });
    return { kind: 'list', items, next };
  };
}

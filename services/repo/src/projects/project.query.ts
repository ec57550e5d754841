import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition } from '@forgelog/eventing/query.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import {
  type ArrayOrder,
  inOrder,
  MAX_OFFSET_RECORDS,
  type PageRequest,
  pageOf,
  pageOfArray,
} from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type ProjectDocument, projects } from './project.collection.ts';
import type { ProjectAnswers } from './project-caller.view.ts';
import {
  conditionOf,
  type FilterPorts,
  memberOf,
  orderOf,
  type ProjectFilters,
} from './project-filter.query.ts';
import { similarityTo } from './similarity.ts';

export interface Listing {
  /** Limits the list to a namespace, for example. */
  scope: Condition;
  filters: ProjectFilters;
  page: PageRequest;
  principal: Principal | null;
  /** The order for `order_by=similarity` without a search. */
  withoutSearch: 'created_at' | 'name';
}

/** Returns one page as JSON texts. */
export type ProjectListing = (listing: Listing) => Promise<{ items: string[]; next: NextPage }>;

/** The most matches that are ranked by similarity. */
const MAX_RANKED = 1000;

export function projectListing(ports: FilterPorts & { answers: ProjectAnswers }): ProjectListing {
  const { readStore, directory, answers } = ports;

  async function ranked(where: Condition, { filters, page, principal }: Listing) {
    const found = await readStore.find(projects, {
      where: and(where, await memberOf(directory, principal, 1)),
      limit: MAX_RANKED,
    });
    const rank = similarityTo(filters.search!);
    const order: ArrayOrder<{ document: ProjectDocument; rank: number }> = [
      { of: (one) => one.rank, direction: 'desc' },
      { of: ({ document }) => document.id, direction: 'desc' },
    ];
    const ordered = inOrder(
      found.map((document) => ({ document, rank: rank(document) })),
      order,
    );
    const { items, next } = pageOfArray(ordered, page, `like ${filters.search}`, order);
    return { documents: items.map(({ document }) => document), next };
  }

  async function select(
    where: Condition,
    listing: Listing,
  ): Promise<{ documents: ProjectDocument[]; next: NextPage }> {
    const { filters, page, principal, withoutSearch } = listing;
    if (!page.keyset && page.number * page.size > MAX_OFFSET_RECORDS)
      throw new Rejection('offset_too_large', { type: 'Project' });
    const bySimilarity = filters.order_by === 'similarity';
    if (bySimilarity && filters.search && principal) return ranked(where, listing);
    const byName: ProjectFilters = { order_by: 'name', sort: 'asc' };
    const order = bySimilarity && withoutSearch === 'name' ? byName : filters;
    return pageOf(readStore, projects, { where, sort: orderOf(order, principal?.isAdmin ?? false), page });
  }

  return async (listing) => {
    const { scope, filters, principal } = listing;
    const where = and(scope, await conditionOf(filters, principal, ports));
    const { documents, next } = await select(where, listing);
    const items = await Promise.all(documents.map((document) => answers(document, principal, filters)));
    return { items, next };
  };
}

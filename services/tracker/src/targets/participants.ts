import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { pageOfArray } from '@forgelog/service-kit/pagination.ts';

const byId = [{ of: (id: number) => id, direction: 'asc' as const }];

/** A page of these users, each once. */
export function participants(userIds: readonly number[], page: ApiRequest['page']): Answer {
  const ids = [...new Set(userIds)].sort((a, b) => a - b);
  const { items, next } = pageOfArray(ids, page, 'participants', byId);
  return { kind: 'list', items: usersJson(items), next };
}

/** Users are filled in when the answer is sent. */
function usersJson(ids: readonly number[]): JsonTemplate {
  const out = new JsonTemplate();
  let between = '[';
  for (const id of ids) {
    out.text(between);
    out.placeholder(`u${id}`);
    between = ',';
  }
  out.text(between === '[' ? '[]' : ']');
  return out;
}

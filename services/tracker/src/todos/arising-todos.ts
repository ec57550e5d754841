import type { TodoAction } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { News } from '../notifications/news.ts';

/** A text mentions so many people; the others have nothing to do. */
const MOST_MENTIONED = 100;
/** Names at the beginning of a text, of a person that it speaks to. */
const ADDRESS = /^\s*((?:@[\w.-]+[\s,:;]*(?:and\s+)?)+)/i;
const MOST_OF_BEGINNING = 2_000;

/** Names in small letters that a text begins with. */
export function addressedNames(text: string | null): ReadonlySet<string> {
  const beginning = ADDRESS.exec((text ?? '').slice(0, MOST_OF_BEGINNING))?.[1] ?? '';
  return new Set([...beginning.matchAll(/@([\w.-]*\w)/g)].map(([, name]) => name!.toLowerCase()));
}

/** The people who have something to do because of news of an issue or a merge request, each for the weightiest reason. */
export async function todosOf(
  { directory }: Pick<ServicePorts, 'directory'>,
  news: News,
  text: string | null,
): Promise<ReadonlyMap<number, TodoAction>> {
  const actions = new Map<number, TodoAction>();
  const addressed = addressedNames(text);
  for (const name of news.mentions.slice(0, MOST_MENTIONED)) {
    const user = await directory.userByName(name);
    if (user) actions.set(user.id, addressed.has(name) ? 'directly_addressed' : 'mentioned');
  }
  for (const [userId, reason] of news.named)
    if (reason === 'review_requested' || reason === 'assigned') actions.set(userId, reason);
  // What people do themselves gives them nothing to do.
  if (news.actorId !== null) actions.delete(news.actorId);
  return actions;
}

import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { described, int, type Param, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, messageView } from '../../views.ts';
import { snippetView } from '../snippets/snippet.api.ts';
import { STORAGE_MOVE_STATES } from './storage-move.events.ts';
import examples from './storage-move.examples.json' with { type: 'json' };

const move = {
  id: z.int(),
  created_at: datetimeView,
  /** Ends as `finished`, `failed` or `cleanup_failed`. */
  state: z.enum(STORAGE_MOVE_STATES),
  source_storage_name: z.string(),
  destination_storage_name: z.string(),
  /** Why it failed; null unless it did. */
  error_message: z.string().nullable(),
};

/** What every kind shows of what was moved. */
const movedProjectView = defineView('MovedProject', {
  id: z.int(),
  description: z.string().nullable(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: datetimeView,
});

export const projectStorageMoveView = defineView(
  'ProjectStorageMove',
  { ...move, project: movedProjectView },
  examples.ProjectStorageMove,
);

export const snippetStorageMoveView = defineView(
  'SnippetStorageMove',
  { ...move, snippet: snippetView },
  examples.SnippetStorageMove,
);

export const groupStorageMoveView = defineView(
  'GroupStorageMove',
  { ...move, group: defineView('MovedGroup', { id: z.int(), web_url: z.string(), name: z.string() }) },
  examples.GroupStorageMove,
);

const storage = text({ max: 255 });
const destination_storage_name = described(storage, 'Storage to move to; one of the others by default', {
  examples: ['default'],
});
const moveId = { repository_storage_move_id: described(required(int()), 'Id of the move') };

const common = { service: 'repo', access: administrator } as const;

interface Kind<Id extends Param<unknown>, View extends z.ZodType> {
  noun: 'project' | 'snippet' | 'group';
  id: Id;
  view: View;
  tier: 'free' | 'premium';
}

/** All of a kind on a storage, and of one of them: [L385] names the first, clients of the family use the others. */
function movesOf<const Id extends Param<unknown>, View extends z.ZodType>({
  noun,
  id,
  view,
  tier,
}: Kind<Id, View>) {
  const all = `/${noun}_repository_storage_moves`;
  const ofOne = `/${noun}s/:id/repository_storage_moves`;
  const a = `a ${noun}`;
  return {
    moveAll: defineEndpoint({
      ...common,
      tier,
      id: `${noun}-storage-move-all`,
      method: 'POST',
      path: all,
      summary: `Move what every ${noun} has on a storage to others; the answer does not wait for it`,
      spec: 'api-v4 L385',
      params: {
        source_storage_name: described(required(storage), 'Storage to empty', { examples: ['default'] }),
        destination_storage_name,
      },
      status: 202,
      response: messageView,
    }),
    listAll: defineEndpoint({
      ...common,
      tier,
      id: `${noun}-storage-move-list`,
      method: 'GET',
      path: all,
      summary: `Moves of every ${noun}, the newest first`,
      spec: 'api-v4 L385',
      params: {},
      pagination: 'offset',
      response: z.array(view),
    }),
    getAny: defineEndpoint({
      ...common,
      tier,
      id: `${noun}-storage-move-get`,
      method: 'GET',
      path: `${all}/:repository_storage_move_id`,
      summary: `One move of ${a}`,
      spec: 'api-v4 L385',
      params: moveId,
      response: view,
    }),
    list: defineEndpoint({
      ...common,
      tier,
      id: `one-${noun}-storage-move-list`,
      method: 'GET',
      path: ofOne,
      summary: `Moves of one ${noun}, the newest first`,
      spec: 'api-v4 L385',
      params: { id },
      pagination: 'offset',
      response: z.array(view),
    }),
    get: defineEndpoint({
      ...common,
      tier,
      id: `one-${noun}-storage-move-get`,
      method: 'GET',
      path: `${ofOne}/:repository_storage_move_id`,
      summary: `One move of one ${noun}`,
      spec: 'api-v4 L385',
      params: { id, ...moveId },
      response: view,
    }),
    move: defineEndpoint({
      ...common,
      tier,
      id: `one-${noun}-storage-move`,
      method: 'POST',
      path: ofOne,
      summary: `Move one ${noun} to another storage; the answer does not wait for it`,
      spec: 'api-v4 L385',
      params: { id, destination_storage_name },
      status: 201,
      response: view,
    }),
  };
}

export const projectStorageMoves = movesOf({
  noun: 'project',
  id: projectId,
  view: projectStorageMoveView,
  tier: 'free',
});

export const snippetStorageMoves = movesOf({
  noun: 'snippet',
  id: described(required(int()), 'Id of the snippet'),
  view: snippetStorageMoveView,
  tier: 'free',
});

export const groupStorageMoves = movesOf({
  noun: 'group',
  id: groupId,
  view: groupStorageMoveView,
  tier: 'premium',
});

export const storageMoveEndpoints = [
  ...Object.values(projectStorageMoves),
  ...Object.values(snippetStorageMoves),
  ...Object.values(groupStorageMoves),
];

import { z } from 'zod';
import { defineEndpoint, user } from '../../endpoint.ts';
import { bool, described, idOrPath, int, required, text } from '../../params.ts';
import { namespaceView } from '../../repo/projects/project.views.ts';
import { defineView } from '../../views.ts';
import examples from './namespace.examples.json' with { type: 'json' };

/** Namespace [companions 3]; owners and administrators see how many people a group has. */
export const namespaceDetailView = defineView(
  'NamespaceDetail',
  { ...namespaceView.shape, members_count_with_descendants: z.int().optional() },
  examples.NamespaceDetail,
);

/** Whether a path is taken, and free ones like it. */
export const namespaceExistenceView = defineView(
  'NamespaceExistence',
  { exists: z.boolean(), suggests: z.array(z.string()) },
  examples.NamespaceExistence,
);

const common = { service: 'admin', access: user, spec: 'companions 2.4' } as const;

export const listNamespaces = defineEndpoint({
  ...common,
  id: 'namespace-list',
  method: 'GET',
  path: '/namespaces',
  summary: 'The own namespace and groups that the caller is a member of; to administrators all',
  params: {
    search: described(text({ max: 255 }), 'Only where the full name or the full path holds this'),
    owned_only: described(bool(), 'Only those that the caller owns'),
    top_level_only: described(bool(), 'Only those without a parent'),
  },
  pagination: 'offset',
  response: z.array(namespaceDetailView),
});

export const getNamespace = defineEndpoint({
  ...common,
  id: 'namespace-get',
  method: 'GET',
  path: '/namespaces/:id',
  summary: 'One namespace, of those that the list would show',
  params: { id: described(idOrPath(), 'Id or URL-encoded full path of the namespace') },
  response: namespaceDetailView,
});

export const namespaceExists = defineEndpoint({
  ...common,
  id: 'namespace-exists',
  method: 'GET',
  path: '/namespaces/:namespace/exists',
  summary: 'Whether the path of a user or group is taken',
  params: {
    namespace: described(required(text()), 'Path without those above it', {
      examples: ['engines'],
    }),
    parent_id: described(int(), 'Id of the group that it would be in; without it, a path at the top'),
  },
  response: namespaceExistenceView,
});

export const namespaceEndpoints = [listNamespaces, getNamespace, namespaceExists];

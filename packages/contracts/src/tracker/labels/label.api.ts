import { z } from 'zod';
import { type Access, atLeastOne, defineEndpoint, exclusive, group, project } from '../../endpoint.ts';
import { bool, described, fallback, int, nullable, type Params, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './label.examples.json' with { type: 'json' };

const shape = {
  id: z.int(),
  name: z.string(),
  color: z.string(),
  text_color: z.string(),
  description: z.string().nullable(),
  description_html: z.string(),
  subscribed: z.boolean(),
};

/** Label of a group (companions 3). */
export const groupLabelView = defineView('GroupLabel', shape, examples.GroupLabel);

/** Label as a project has it: its own, or one of a group above. */
export const labelView = defineView(
  'Label',
  { ...shape, priority: z.int().nullable(), is_project_label: z.boolean() },
  examples.Label,
);

const NAME = 'Title of the label, at most 255 characters and without a comma';
const name = described(text({ max: 255 }), NAME, { examples: ['bug'], pattern: '^[^,]*[^,\\s][^,]*$' });
const color = described(text({ max: 255 }), 'Colour, as `#d9534f`, `#d54` or a name of CSS', {
  examples: ['#d9534f'],
  pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
});
const description = described(nullable(text({ max: 65_535 })), 'What the label is for');
const priority = {
  priority: described(
    nullable(int({ min: 0, max: 2_147_483_647 })),
    'Place among the labels of the project that have one, from 0 on; null for none',
  ),
};
const newName = { new_name: name };
const label_id = described(required(text()), 'Id or URL-encoded title of the label');
const named = {
  label_id: described(text({ max: 255 }), 'Id or title of the label'),
  name: described(text({ max: 255 }), 'Title of the label'),
};

interface Place<Where extends Params, Ranked extends Params, View extends z.ZodObject> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  writes: Access;
  subscribes: Access;
  where: Where;
  /** Parameters that only labels of projects have. */
  ranked: Ranked;
  view: View;
}

function labelsOf<const Where extends Params, const Ranked extends Params, View extends z.ZodObject>({
  id,
  of,
  path,
  reads,
  writes,
  subscribes,
  where,
  ranked,
  view,
}: Place<Where, Ranked, View>) {
  const common = { service: 'tracker', spec: 'companions 2.7' } as const;
  const changes = { ...newName, color, description, ...ranked };
  const changed = atLeastOne(...Object.keys(changes));
  const one = { ...where, label_id };
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Labels ${of} by title, with those of the groups above`,
      params: {
        ...where,
        include_ancestor_groups: described(fallback(bool(), true), 'Also labels of the groups above'),
        search: described(text({ max: 255 }), 'Only labels whose title or description holds this'),
      },
      pagination: 'offset',
      response: z.array(view),
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:label_id`,
      summary: `One label ${of} or of a group above`,
      params: one,
      response: view,
    }),
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Create a label ${of}`,
      params: { ...where, name: required(name), color: required(color), description, ...ranked },
      status: 201,
      otherStatuses: [409],
      response: view,
    }),
    update: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:label_id`,
      summary: `Change a label ${of}, wherever it is given`,
      params: { ...one, ...changes },
      rules: [changed],
      response: view,
    }),
    updateNamed: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update-named`,
      method: 'PUT',
      path,
      summary: `Change a label ${of}, in the older form`,
      params: { ...where, ...named, ...changes },
      rules: [exclusive('label_id', 'name'), atLeastOne('label_id', 'name'), changed],
      response: view,
    }),
    delete: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:label_id`,
      summary: `Delete a label ${of}, and take it from all that has it`,
      params: one,
      status: 204,
    }),
    deleteNamed: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-delete-named`,
      method: 'DELETE',
      path,
      summary: `Delete a label ${of}, in the older form`,
      params: { ...where, name: required(named.name) },
      status: 204,
    }),
    subscribe: defineEndpoint({
      ...common,
      access: subscribes,
      id: `${id}-subscribe`,
      method: 'POST',
      path: `${path}/:label_id/subscribe`,
      summary: 'Be told of what gets a label; 304 where the caller is already',
      params: one,
      status: 201,
      otherStatuses: [304],
      response: view,
    }),
    unsubscribe: defineEndpoint({
      ...common,
      access: subscribes,
      id: `${id}-unsubscribe`,
      method: 'POST',
      path: `${path}/:label_id/unsubscribe`,
      summary: 'Be told no more of what gets a label; 304 where the caller is not',
      params: one,
      status: 201,
      otherStatuses: [304],
      response: view,
    }),
  };
}

export const projectLabels = labelsOf({
  id: 'project-label',
  of: 'of a project',
  path: '/projects/:id/labels',
  reads: project('anyone'),
  writes: project('reporter'),
  subscribes: project('anyone', { signedIn: true }),
  where: { id: projectId },
  ranked: priority,
  view: labelView,
});

export const groupLabels = labelsOf({
  id: 'group-label',
  of: 'of a group',
  path: '/groups/:id/labels',
  reads: group('anyone'),
  writes: group('reporter'),
  subscribes: group('anyone', { signedIn: true }),
  where: { id: groupId },
  ranked: {},
  view: groupLabelView,
});

export const promoteLabel = defineEndpoint({
  service: 'tracker',
  id: 'project-label-promote',
  method: 'PUT',
  path: '/projects/:id/labels/:label_id/promote',
  summary: 'Make a label one of the group, in place of those with its title in all projects below',
  spec: 'companions 2.7',
  access: project('reporter'),
  params: { id: projectId, label_id },
  response: groupLabelView,
});

export const labelEndpoints = [...Object.values(projectLabels), ...Object.values(groupLabels), promoteLabel];

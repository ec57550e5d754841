import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { described, type Params, required, text } from '../../params.ts';
import { groupId, projectId, userId } from '../../shared/common.params.ts';
import { customAttributeView } from '../../views.ts';

const key = described(required(text()), 'Name of the attribute, at most 255 characters', {
  examples: ['location'],
});

interface Owner<Where extends Params> {
  noun: 'user' | 'group' | 'project';
  where: Where;
}

function attributesOf<const Where extends Params>({ noun, where }: Owner<Where>) {
  const common = { service: 'admin', access: administrator, spec: 'companions 2.1' } as const;
  const path = `/${noun}s/:id/custom_attributes`;
  const id = `${noun}-custom-attribute`;
  const ofOne = { ...where, key };
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Custom attributes of a ${noun}, by name`,
      params: where,
      pagination: 'offset',
      response: z.array(customAttributeView),
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:key`,
      summary: `One custom attribute of a ${noun}`,
      params: ofOne,
      response: customAttributeView,
    }),
    set: defineEndpoint({
      ...common,
      id: `${id}-set`,
      method: 'PUT',
      path: `${path}/:key`,
      summary: `Set a custom attribute of a ${noun}, which gets it where it has none of this name`,
      params: {
        ...ofOne,
        value: described(required(text({ max: 4096 })), 'What the attribute says', {
          pattern: '\\S',
          examples: ['Antwerp'],
        }),
      },
      response: customAttributeView,
    }),
    delete: defineEndpoint({
      ...common,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:key`,
      summary: `Delete a custom attribute of a ${noun}`,
      params: ofOne,
      status: 204,
    }),
  };
}

export const userCustomAttributes = attributesOf({ noun: 'user', where: { id: userId } });
export const groupCustomAttributes = attributesOf({ noun: 'group', where: { id: groupId } });
export const projectCustomAttributes = attributesOf({ noun: 'project', where: { id: projectId } });

export const customAttributeEndpoints = [
  userCustomAttributes,
  groupCustomAttributes,
  projectCustomAttributes,
].flatMap((owner) => Object.values(owner));

import { z } from 'zod';
import { type Access, administrator, defineEndpoint, group, project } from '../../endpoint.ts';
import { bool, described, fallback, hash, oneOf, type Params, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './ci-variable.examples.json' with { type: 'json' };

const VARIABLE_TYPES = ['env_var', 'file'] as const;

const shape = {
  variable_type: z.enum(VARIABLE_TYPES),
  key: z.string(),
  value: z.string(),
  protected: z.boolean(),
  masked: z.boolean(),
};

export const ciVariableView = defineView(
  'CiVariable',
  { ...shape, environment_scope: z.string() },
  examples.CiVariable,
);
/** Instance variables are for all environments. */
export const instanceCiVariableView = defineView('InstanceCiVariable', shape, examples.InstanceCiVariable);

const key = described(required(text({ max: 255 })), 'Name of the variable');
const value =
  'What jobs get, at most 262,144 bytes; a masked one has to be of at least 8 characters of Base64, @ : . ~ -';
const variableType = 'Whether jobs get the value, or the path of a file with it';
const isProtected = 'Whether only jobs of protected branches and tags get it';
const isMasked = 'Whether logs of jobs hide the value';
const scope = 'Environments whose jobs get it, by their name; `*` stands for any text';

const creation = {
  key: described(required(text()), 'Name of the variable: letters, digits and `_`, at most 255', {
    examples: ['DEPLOY_TOKEN'],
    pattern: '^[A-Za-z0-9_]{1,255}$',
  }),
  value: described(required(text({ max: 262_144 }), { blank: true }), value, {
    examples: ['example-of-a-value'],
  }),
  variable_type: described(fallback(oneOf(...VARIABLE_TYPES), 'env_var'), variableType),
  protected: described(fallback(bool(), false), isProtected),
  masked: described(fallback(bool(), false), isMasked),
};
const changes = {
  value: described(text({ max: 262_144 }), value, { examples: ['example-of-a-value'] }),
  variable_type: described(oneOf(...VARIABLE_TYPES), variableType),
  protected: described(bool(), isProtected),
  masked: described(bool(), isMasked),
};
const SCOPE_EXAMPLE = { examples: ['*'], minLength: 1 };
const scopeCreation = { environment_scope: described(fallback(text(), '*'), scope, SCOPE_EXAMPLE) };
const scopeUpdate = { environment_scope: described(text(), scope, SCOPE_EXAMPLE) };
const filter = {
  filter: described(
    hash({ environment_scope: described(text(), 'Environment scope of the variable') }),
    'Tells variables of one name apart: `filter[environment_scope]=production`',
  ),
};
interface Place<Where extends Params, Create extends Params, Update extends Params, Filter extends Params> {
  id: string;
  of: string;
  path: string;
  access: Access;
  where: Where;
  create: Create;
  update: Update;
  filter: Filter;
  view: z.ZodObject;
}

function variableEndpoints<
  const Where extends Params,
  const Create extends Params,
  const Update extends Params,
  const Filter extends Params,
>({ id, of, path, access, where, create, update, filter, view }: Place<Where, Create, Update, Filter>) {
  const common = { service: 'ci', access, spec: 'companions 2.9' } as const;
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Variables ${of} with their values, in the order of their ids`,
      params: where,
      pagination: 'offset',
      response: z.array(view),
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:key`,
      summary: `One variable ${of} with its value`,
      params: { ...where, key, ...filter },
      otherStatuses: [409],
      response: view,
    }),
    create: defineEndpoint({
      ...common,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Add a variable ${of}`,
      params: { ...where, ...creation, ...create },
      status: 201,
      response: view,
    }),
    update: defineEndpoint({
      ...common,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:key`,
      summary: `Change a variable ${of}`,
      params: { ...where, key, ...changes, ...update, ...filter },
      response: view,
    }),
    delete: defineEndpoint({
      ...common,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:key`,
      summary: `Delete a variable ${of}`,
      params: { ...where, key, ...filter },
      status: 204,
    }),
  };
}

const scoped = { create: scopeCreation, update: scopeUpdate, filter, view: ciVariableView };

export const projectVariables = variableEndpoints({
  ...scoped,
  id: 'project-variable',
  of: 'of a project',
  path: '/projects/:id/variables',
  access: project('maintainer', { feature: 'builds' }),
  where: { id: projectId },
});

export const groupVariables = variableEndpoints({
  ...scoped,
  id: 'group-variable',
  of: 'of a group',
  path: '/groups/:id/variables',
  access: group('owner'),
  where: { id: groupId },
});

export const instanceVariables = variableEndpoints({
  id: 'instance-variable',
  of: 'of the instance',
  path: '/admin/ci/variables',
  access: administrator,
  where: {},
  create: {},
  update: {},
  filter: {},
  view: instanceCiVariableView,
});

export const ciVariableEndpoints = [projectVariables, groupVariables, instanceVariables].flatMap((place) =>
  Object.values(place),
);

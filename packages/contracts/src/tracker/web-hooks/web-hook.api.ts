import { z } from 'zod';
import {
  type Access,
  administrator,
  defineEndpoint,
  exclusive,
  group,
  project,
  type Tier,
} from '../../endpoint.ts';
import { bool, described, int, nullable, oneOf, type Params, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './web-hook.examples.json' with { type: 'json' };
import {
  ABOUT_TRIGGERS,
  GROUP_TRIGGERS,
  PROJECT_TRIGGERS,
  SYSTEM_TRIGGERS,
  type Trigger,
} from './web-hook-triggers.ts';

const shape = {
  id: z.int(),
  url: z.string(),
  created_at: datetimeView,
  push_events: z.boolean(),
  tag_push_events: z.boolean(),
  merge_requests_events: z.boolean(),
  repository_update_events: z.boolean(),
  enable_ssl_verification: z.boolean(),
  /** Whether failures switched it off: `disabled`. */
  alert_status: z.enum(['executable', 'disabled']),
  disabled_until: datetimeView.nullable(),
};

const inPlaces = {
  ...shape,
  issues_events: z.boolean(),
  confidential_issues_events: z.boolean(),
  note_events: z.boolean(),
  confidential_note_events: z.boolean(),
  job_events: z.boolean(),
  pipeline_events: z.boolean(),
  wiki_page_events: z.boolean(),
  deployment_events: z.boolean(),
  releases_events: z.boolean(),
  feature_flag_events: z.boolean(),
  push_events_branch_filter: z.string().nullable(),
};

export const projectHookView = defineView(
  'ProjectHook',
  { ...inPlaces, project_id: z.int() },
  examples.ProjectHook,
);

export const groupHookView = defineView(
  'GroupHook',
  { ...inPlaces, member_events: z.boolean(), subgroup_events: z.boolean(), group_id: z.int() },
  examples.GroupHook,
);

export const systemHookView = defineView('SystemHook', shape, examples.SystemHook);

/** An attempt to tell a receiver. What it was sent is made anew from the log, as it was or would be now. */
export const hookDeliveryView = defineView(
  'HookDelivery',
  {
    id: z.int(),
    url: z.string(),
    trigger: z.string(),
    created_at: datetimeView,
    request_headers: z.record(z.string(), z.string()),
    request_data: z.unknown(),
    response_headers: z.record(z.string(), z.string()),
    response_body: z.string(),
    /** Seconds. */
    execution_duration: z.number(),
    /** A number as a text, or `internal error` where nothing answered. */
    response_status: z.string(),
    attempts: z.int(),
    delivered: z.boolean(),
    cause: z.enum(['event', 'resend', 'test']),
    event_id: z.string().nullable(),
  },
  examples.HookDelivery,
);

const resentView = defineView('HookResent', { response_status: z.string() }, examples.HookResent);
const triedView = defineView('HookTried', { message: z.string() }, examples.HookTried);
const replayedView = defineView('HookReplayed', { message: z.string() }, examples.HookReplayed);

const hookId = described(required(int()), 'Id of the hook');
const url = text({ max: 2048 });
const URL_EXAMPLE = { examples: ['https://receiver.example.org/hook'] };
const secret = {
  token: described(nullable(text({ max: 255 })), 'Sent as `X-Gitlab-Token`, and key of the signature', {
    examples: ['a-word-that-both-know'],
  }),
};
const filter = {
  push_events_branch_filter: described(
    nullable(text({ max: 5000 })),
    'Only pushes to such branches; `*` stands for any text',
    { examples: ['release/*'] },
  ),
};

const NO_FILTER: Partial<typeof filter> = {};

type Flags<Names extends Trigger> = { [Name in Names]: ReturnType<typeof bool> };

const flagsOf = <const Names extends Trigger>(names: readonly Names[]): Flags<Names> =>
  Object.fromEntries(
    names.map((name) => [name, described(bool(), `Whether it is told of ${ABOUT_TRIGGERS[name]}`)]),
  ) as Flags<Names>;

const verification = described(bool(), 'Whether the certificate of the receiver must be valid');

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  access: Access;
  tier?: Tier;
  spec: string;
  where: Where;
  flags: readonly Trigger[];
  /** Those that it can be tried with. */
  tried: readonly Trigger[];
  filters: boolean;
  view: z.ZodObject;
}

function hookEndpoints<const Where extends Params>(place: Place<Where>) {
  const { id, of, path, access, tier = 'free', spec, where, flags, tried, filters, view } = place;
  const common = { service: 'tracker', access, tier, spec } as const;
  const one = { ...where, hook_id: hookId };
  const attributes = {
    ...secret,
    ...flagsOf(flags),
    ...(filters ? filter : NO_FILTER),
    enable_ssl_verification: verification,
  };
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Hooks ${of}, in the order of their ids`,
      params: where,
      pagination: 'offset',
      response: z.array(view),
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:hook_id`,
      summary: `One hook ${of}; its token is never shown`,
      params: one,
      response: view,
    }),
    create: defineEndpoint({
      ...common,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Add a hook ${of}: an address that is told of what happens there`,
      params: {
        ...where,
        url: described(required(url), 'Address that is told, http or https', URL_EXAMPLE),
        ...attributes,
      },
      status: 201,
      otherStatuses: [422],
      response: view,
    }),
    update: defineEndpoint({
      ...common,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:hook_id`,
      summary: `Change a hook ${of}; one that failures switched off is on again`,
      params: {
        ...one,
        url: described(url, 'Address that is told, http or https', { ...URL_EXAMPLE, minLength: 1 }),
        ...attributes,
      },
      otherStatuses: [422],
      response: view,
    }),
    delete: defineEndpoint({
      ...common,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:hook_id`,
      summary: `Delete a hook ${of}`,
      params: one,
      status: 204,
    }),
    deliveries: defineEndpoint({
      ...common,
      id: `${id}-event-list`,
      method: 'GET',
      path: `${path}/:hook_id/events`,
      summary: `Deliveries of a hook ${of}, the newest first; the last hundred are kept`,
      params: {
        ...one,
        delivered: described(bool(), 'Only deliveries that a receiver took, or only those that none did'),
      },
      pagination: 'offset',
      response: z.array(hookDeliveryView),
    }),
    resend: defineEndpoint({
      ...common,
      id: `${id}-event-resend`,
      method: 'POST',
      path: `${path}/:hook_id/events/:hook_event_id/resend`,
      summary: `Send a delivery of a hook ${of} again, and wait for the answer`,
      params: { ...one, hook_event_id: described(required(int()), 'Id of the delivery') },
      status: 201,
      otherStatuses: [422],
      response: resentView,
    }),
    test: defineEndpoint({
      ...common,
      id: `${id}-test`,
      method: 'POST',
      path: `${path}/:hook_id/test/:trigger`,
      summary: `Try a hook ${of} with the newest event of a kind, and wait for the answer`,
      params: {
        ...one,
        trigger: described(required(oneOf(...tried)), 'Which kind of event'),
      },
      status: 201,
      otherStatuses: [422],
      response: triedView,
    }),
    replay: defineEndpoint({
      ...common,
      id: `${id}-replay`,
      method: 'POST',
      path: `${path}/:hook_id/replay`,
      summary: `Tell a hook ${of} again of everything after a position of the event stream`,
      params: {
        ...one,
        after: described(
          text({ max: 100 }),
          'Position of an event, as the event stream has it; by default the beginning of the log',
          { examples: [''] },
        ),
        after_event_id: described(int(), 'Id of a delivery of the hook: everything after its event instead'),
      },
      rules: [exclusive('after', 'after_event_id')],
      status: 202,
      otherStatuses: [410, 422],
      response: replayedView,
    }),
  };
}

export const projectHooks = hookEndpoints({
  id: 'project-hook',
  of: 'of a project',
  path: '/projects/:id/hooks',
  access: project('maintainer'),
  spec: 'companions 2.3',
  where: { id: projectId },
  flags: PROJECT_TRIGGERS,
  tried: PROJECT_TRIGGERS,
  filters: true,
  view: projectHookView,
});

export const groupHooks = hookEndpoints({
  id: 'group-hook',
  of: 'of a group, which is told of all projects and groups below',
  path: '/groups/:id/hooks',
  access: group('owner'),
  tier: 'premium',
  spec: 'companions 2.4',
  where: { id: groupId },
  flags: GROUP_TRIGGERS,
  tried: GROUP_TRIGGERS,
  filters: true,
  view: groupHookView,
});

export const systemHooks = hookEndpoints({
  id: 'system-hook',
  of: 'of the instance',
  path: '/hooks',
  access: administrator,
  spec: 'companions 2.11',
  where: {},
  flags: SYSTEM_TRIGGERS,
  tried: [...SYSTEM_TRIGGERS, 'system_events'],
  filters: false,
  view: systemHookView,
});

export const webHookEndpoints = [
  ...Object.values(projectHooks),
  ...Object.values(groupHooks),
  ...Object.values(systemHooks),
];

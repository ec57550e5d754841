import {
  groupHookView,
  hookDeliveryView,
  projectHookView,
  systemHookView,
} from '@forgelog/contracts/tracker/web-hooks/web-hook.api.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { WebHookRow } from './web-hooks.projection.ts';

/** A hook with its address, which rows hold sealed. */
export interface OpenedHook extends WebHookRow {
  url: string;
}

const flag = (name: Trigger) =>
  derived(['triggers'], (triggers: readonly string[]) => triggers.includes(name));

const ofAll = {
  id: 'id',
  url: 'url',
  created_at: 'createdAt',
  push_events: flag('push_events'),
  tag_push_events: flag('tag_push_events'),
  merge_requests_events: flag('merge_requests_events'),
  repository_update_events: flag('repository_update_events'),
  enable_ssl_verification: 'verifyCertificate',
  alert_status: derived(['disabled'], (disabled: boolean) =>
    disabled ? ('disabled' as const) : ('executable' as const),
  ),
  disabled_until: null,
} as const;

const ofPlaces = {
  ...ofAll,
  issues_events: flag('issues_events'),
  confidential_issues_events: flag('confidential_issues_events'),
  note_events: flag('note_events'),
  confidential_note_events: flag('confidential_note_events'),
  job_events: flag('job_events'),
  pipeline_events: flag('pipeline_events'),
  wiki_page_events: flag('wiki_page_events'),
  deployment_events: flag('deployment_events'),
  releases_events: flag('releases_events'),
  feature_flag_events: flag('feature_flag_events'),
  push_events_branch_filter: 'branchFilter',
} as const;

export const projectHookJson = implementView(projectHookView).from<OpenedHook>({
  ...ofPlaces,
  project_id: given(({ projectId }: OpenedHook) => projectId!),
});

export const groupHookJson = implementView(groupHookView).from<OpenedHook>({
  ...ofPlaces,
  member_events: flag('member_events'),
  subgroup_events: flag('subgroup_events'),
  group_id: given(({ groupId }: OpenedHook) => groupId!),
});

export const systemHookJson = implementView(systemHookView).from<OpenedHook>(ofAll);

export interface ShownDelivery {
  id: number;
  url: string;
  trigger: string;
  createdAt: string;
  requestHeaders: Record<string, string>;
  requestData: unknown;
  milliseconds: number;
  responseStatus: string;
  attempts: number;
  delivered: boolean;
  cause: 'event' | 'resend' | 'test';
  eventId: string | null;
}

export const hookDeliveryJson = implementView(hookDeliveryView).from<ShownDelivery>({
  id: 'id',
  url: 'url',
  trigger: 'trigger',
  created_at: 'createdAt',
  request_headers: given(({ requestHeaders }: ShownDelivery) => requestHeaders),
  request_data: given(({ requestData }: ShownDelivery) => requestData),
  response_headers: given(() => ({})),
  response_body: given(() => ''),
  execution_duration: given(({ milliseconds }: ShownDelivery) => milliseconds / 1000),
  response_status: 'responseStatus',
  attempts: 'attempts',
  delivered: 'delivered',
  cause: given(({ cause }: ShownDelivery) => cause),
  event_id: 'eventId',
});

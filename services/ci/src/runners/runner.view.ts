import {
  registeredRunnerView,
  registrationTokenView,
  runnerDetailView,
  runnerView,
} from '@forgelog/contracts/ci/runners/runner.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { z } from 'zod';
import type { RunnerContact, RunnerContacts, RunnerStatus } from './runner-contacts.ts';
import type { RunnerRow } from './runners.projection.ts';

type Detail = z.output<typeof runnerDetailView>;

export interface ShownRunner extends RunnerRow {
  contact: RunnerContact | null;
  status: RunnerStatus;
}

export const shownRunner = (row: RunnerRow, contacts: RunnerContacts): ShownRunner => ({
  ...row,
  contact: contacts.of(row.id),
  status: contacts.statusOf(row),
});

const said = (name: keyof Omit<RunnerContact, 'contactedAt'>) =>
  given(({ contact }: ShownRunner) => contact?.[name] ?? null);

export const runnerJson = implementView(runnerView).from<ShownRunner>({
  id: 'id',
  description: 'description',
  ip_address: said('ipAddress'),
  active: 'active',
  paused: derived(['active'], (active: boolean) => !active),
  is_shared: derived(['runnerType'], (type: string) => type === 'instance_type'),
  runner_type: 'runnerType',
  name: said('name'),
  online: given(({ contact, status }: ShownRunner) => (contact ? status === 'online' : null)),
  status: given(({ status }: ShownRunner) => status),
});

/** A runner with the projects and groups that the caller sees. */
export interface DetailedRunner extends ShownRunner, Pick<Detail, 'projects' | 'groups'> {}

export const runnerDetailJson = implementView(runnerDetailView).from<DetailedRunner>({
  ...runnerJson.members,
  tag_list: 'tags',
  run_untagged: 'runUntagged',
  locked: 'locked',
  maximum_timeout: 'maximumTimeout',
  access_level: 'accessLevel',
  version: said('version'),
  revision: said('revision'),
  platform: said('platform'),
  architecture: said('architecture'),
  contacted_at: given(({ contact }: DetailedRunner) => contact?.contactedAt ?? null),
  projects: given(({ projects }: DetailedRunner) => projects),
  groups: given(({ groups }: DetailedRunner) => groups),
});

export const registeredRunnerJson = implementView(registeredRunnerView).from<{ id: number; token: string }>({
  id: 'id',
  token: 'token',
  token_expires_at: null,
});

export const registrationTokenJson = implementView(registrationTokenView).from<{ token: string }>({
  token: 'token',
  token_expires_at: null,
});

import type { IntegrationSlug } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import { expect, test } from 'vitest';
import type { Property } from './integration.decider.ts';
import { wantsPipeline, wantsRef, wantsTrigger } from './wanted-message.rules.ts';

const wishes = (properties: Property[] = [], flagsOff: string[] = []) => ({
  ...{ slug: 'slack' as IntegrationSlug, properties, flagsOff },
});
const branches = (value: string) => wishes([{ name: 'branches_to_be_notified', value }]);
const ref = { name: 'x', isTag: false, isDefault: false, isProtected: false };

test('events are told of unless they are switched off, and deployments where they are switched on', () => {
  expect(wantsTrigger(wishes(), 'note_events')).toBe(true);
  expect(wantsTrigger(wishes([], ['note_events']), 'note_events')).toBe(false);
  expect(wantsTrigger(wishes(), 'deployment_events')).toBe(false);
  const on = wishes([{ name: 'deployment_events', value: true }]);
  expect(wantsTrigger(on, 'deployment_events')).toBe(true);
  expect(wantsTrigger(wishes(), 'releases_events')).toBe(false);
});

test.each([
  ['default', [true, false, false]],
  ['protected', [false, true, false]],
  ['default_and_protected', [true, true, false]],
  ['all', [true, true, true]],
])('of branches, %s are told of, and tags always', (which, wanted) => {
  const refs = [{ ...ref, isDefault: true }, { ...ref, isProtected: true }, ref];
  expect(refs.map((one) => wantsRef(branches(which), one))).toEqual(wanted);
  expect(wantsRef(branches(which), { ...ref, isTag: true })).toBe(true);
  if (which === 'default') expect(refs.map((one) => wantsRef(wishes(), one))).toEqual(wanted);
});

test('mails on pushes are told of pushes alone, and of all branches', () => {
  const mails = { ...wishes(), slug: 'emails-on-push' as const };
  expect(
    ['push_events', 'tag_push_events', 'issues_events'].map((one) => wantsTrigger(mails, one as Trigger)),
  ).toEqual([...[true, true, false]]);
  expect(wantsRef(mails, ref)).toBe(true);
});

test('the older word for branches counts where the newer one is not given', () => {
  const wanted = (...properties: Property[]) =>
    wantsRef({ ...wishes(properties), slug: 'pipelines-email' }, ref);
  const older = (value: boolean) => ({ name: 'notify_only_default_branch', value }) as const;
  expect([wanted(), wanted(older(true)), wanted(older(false))]).toEqual([false, false, true]);
  expect(wanted(older(false), { name: 'branches_to_be_notified', value: 'default' })).toBe(false);
});

test('of pipelines, failed ones are told of, and passed ones where that is asked for', () => {
  expect([wantsPipeline(wishes(), 'failed'), wantsPipeline(wishes(), 'success')]).toEqual([true, false]);
  const all = wishes([{ name: 'notify_only_broken_pipelines', value: false }]);
  expect(wantsPipeline(all, 'success')).toBe(true);
});

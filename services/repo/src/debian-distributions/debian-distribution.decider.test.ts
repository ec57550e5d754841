import type { DebianDistributionEvent } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import {
  type DistributionCommand,
  debianDistributionDecider,
  MOST_DISTRIBUTIONS,
} from './debian-distribution.decider.ts';

const place = { projectId: 7, groupId: null };
const none = { suite: null, origin: null, label: null, version: null, description: null };
const created = (id: number, codename: string, more = {}): DebianDistributionEvent => ({
  type: 'DebianDistributionCreated',
  data: {
    ...{ debianDistributionId: id, ...place, codename, ...none, validTimeDurationSeconds: null },
    ...{ components: ['main'], architectures: ['all', 'amd64'], ...more },
  },
});
const create = (id: number, codename: string, attributes = {}): DistributionCommand => ({
  ...{ type: 'CreateDebianDistribution', debianDistributionId: id, ...place, codename, attributes },
});
const update = (id: number, changes = {}): DistributionCommand => ({
  ...{ type: 'UpdateDebianDistribution', debianDistributionId: id, ...place, changes },
});
const refused = (message: object) => ['validation_failed', { message }] as const;
const taken = ['has already been taken'];

test('a distribution has a component and architectures, `all` among them, each once and in order', () => {
  given(debianDistributionDecider).when(create(1, 'bookworm')).thenEvents(created(1, 'bookworm'));
  given(debianDistributionDecider)
    .when(create(1, 'bookworm', { components: ['tools', 'main', 'main'], architectures: ['arm64'] }))
    .thenEvents(created(1, 'bookworm', { components: ['main', 'tools'], architectures: ['all', 'arm64'] }));
});

test('a name is one codename or suite of the place', () => {
  const before = created(1, 'bookworm', { suite: 'stable' });
  for (const name of ['bookworm', 'stable']) {
    given(debianDistributionDecider, before)
      .when(create(2, name))
      .thenRejected(...refused({ codename: taken }));
    given(debianDistributionDecider, before)
      .when(create(2, 'trixie', { suite: name }))
      .thenRejected(...refused({ suite: taken }));
  }
  given(debianDistributionDecider, before, created(2, 'trixie'))
    .when(update(2, { suite: 'stable' }))
    .thenRejected(...refused({ suite: taken }));
});

test('all problems are reported at once', () => {
  given(debianDistributionDecider)
    .when(
      create(1, '../x', {
        ...{ suite: 'a b', origin: 'a\nb', components: ['Main!'], architectures: ['x/y'] },
        validTimeDurationSeconds: 60,
      }),
    )
    .thenRejected(
      ...refused({
        ...{ codename: ['is invalid'], suite: ['is invalid'], origin: ['must be one line'] },
        ...{ components: ['is invalid'], architectures: ['is invalid'] },
        valid_time_duration_seconds: ['must be greater than or equal to 86400'],
      }),
    );
});

test('a change tells what it changes, and an empty text is none', () => {
  const before = created(1, 'bookworm', { label: 'engines' });
  const ids = { debianDistributionId: 1, ...place };
  given(debianDistributionDecider, before)
    .when(update(1, { label: '', version: '12' }))
    .thenEvents({
      type: 'DebianDistributionUpdated',
      data: {
        ...ids,
        changes: { label: null, version: '12' },
        previous: { label: 'engines', version: null },
      },
    });
  given(debianDistributionDecider, before)
    .when(update(1, { label: 'engines' }))
    .thenEvents();
  given(debianDistributionDecider, before, { type: 'DebianDistributionDeleted', data: ids })
    .when(update(1, { label: 'x' }))
    .thenRejected('not_found', { message: '404 Debian Distribution Not Found' });
});

test(`a place has ${MOST_DISTRIBUTIONS} distributions at most`, () => {
  const many = Array.from({ length: MOST_DISTRIBUTIONS }, (_, id) => created(id + 1, `name-${id}`));
  given(debianDistributionDecider, ...many)
    .when(create(9999, 'more'))
    .thenRejected('bad_request');
});

import { type GroupCommand, groupDecider } from '@forgelog/admin/groups/group.decider.ts';
import {
  type ProjectMemberCommand,
  projectMemberDecider,
} from '@forgelog/admin/members/project-member.decider.ts';
import {
  type EnvironmentCommand,
  environmentDecider,
} from '@forgelog/ci/environments/environment.decider.ts';
import {
  type FeatureFlagCommand,
  featureFlagDecider,
} from '@forgelog/ci/feature-flags/feature-flag.decider.ts';
import {
  type FreezePeriodCommand,
  freezePeriodDecider,
} from '@forgelog/ci/freeze-periods/freeze-period.decider.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { type NameCommand, NameTakenError, nameDecider } from '@forgelog/directory/name.decider.ts';
import { type ReleaseCommand, releaseDecider } from '@forgelog/repo/releases/release.decider.ts';
import {
  type RefLogCommand,
  RefsDifferError,
  refLogDecider,
} from '@forgelog/repo/repository-storage/ref-log.decider.ts';
import { type IssueCommand, issueDecider } from '@forgelog/tracker/issues/issue.decider.ts';
import {
  type MergeRequestCommand,
  mergeRequestDecider,
} from '@forgelog/tracker/merge-requests/merge-request.decider.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDecider } from './decider-laws.ts';

const isRejection = (error: unknown) => error instanceof Rejection;
const user = fc.integer({ min: 1, max: 4 });
const level = fc.constantFrom(10, 20, 30, 40, 50);
const day = fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03');
const until = fc.option(day);
const reason = fc.constantFrom('removed', 'left');
const ends = {
  userIds: fc.uniqueArray(user),
  reason: fc.constantFrom('expired', 'deleted'),
  today: day,
};
const visibility = fc.constantFrom('private', 'internal', 'public');
const word = fc.constantFrom(
  'a',
  'b',
  'A',
  '',
  ' ',
  'x'.repeat(300),
  '-',
  'ü',
  'review/a',
  'review/b',
  'c',
  'a b',
  'a-b',
);
const kind = <T extends string>(type: T) => fc.constant(type);

const ZERO = '0'.repeat(40);

test('names have one holder, and only who holds one gives it up', () => {
  const holder = fc.record({ kind: fc.constantFrom('user' as const, 'group', 'project'), id: user });
  const claim = fc.integer({ min: 1, max: 9 });
  const claimedAt = fc.constant('2026-01-01T00:00:00.000Z');
  const command: fc.Arbitrary<NameCommand> = fc.oneof(
    fc.record({ type: kind('ClaimName'), holder, over: fc.option(claim), claimedAt }),
    fc.record({ type: kind('ReleaseName'), holder, claim }),
  );
  checkDecider(nameDecider, command, {
    isRejection: (error) => error instanceof NameTakenError,
    holds(state, log) {
      const last = log.at(-1);
      if (last?.type === 'NameClaimed') expect(state.holder).toMatchObject({ id: last.data.holderId });
      if (last?.type === 'NameReleased') expect(state.holder).toBeNull();
    },
  });
});

test('a group that had an owner keeps one, but for ends by date and deletion', () => {
  const described = { name: word, path: word, description: word, visibility, settings: fc.constant({}) };
  const member = { groupId: fc.constant(7), userId: user, today: fc.constant('2026-01-01') };
  const command = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        type: kind('CreateGroup'),
        groupId: fc.constant(7),
        parent: fc.constant(null),
        creatorId: user,
        ...described,
        name: fc.constant('a'),
        path: fc.constant('a'),
      }),
    },
    fc.record({
      type: kind('UpdateGroup'),
      groupId: fc.constant(7),
      changes: fc.record(described, { requiredKeys: [] }),
      parentVisibility: fc.option(visibility),
      below: fc.constant({ group: null, project: null }),
    }),
    {
      weight: 4,
      arbitrary: fc.record({
        type: kind('AddGroupMember'),
        ...member,
        accessLevel: level,
        expiresAt: fc.constant(null),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: kind('ChangeGroupMember'),
        ...member,
        accessLevel: level,
        expiresAt: fc.constant(null),
        inheritedOwners: fc.constant(false),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: kind('RemoveGroupMember'),
        ...member,
        reason: fc.constantFrom('removed', 'left'),
        inheritedOwners: fc.constant(false),
      }),
    },
  ) as unknown as fc.Arbitrary<GroupCommand>;
  checkDecider(groupDecider, command, {
    isRejection,
    holds(state) {
      if (state.status !== 'present') return;
      expect(state.members.some(({ accessLevel }) => accessLevel === 50)).toBe(true);
    },
  });
});

test('members of a project: one membership a user, never the owner himself', () => {
  const membership = { projectId: fc.constant(7), userId: user, ownerId: fc.constant(1), today: day };
  const command = fc.oneof(
    fc.record({ type: kind('AddProjectMember'), ...membership, accessLevel: level, expiresAt: until }),
    fc.record({ type: kind('ChangeProjectMember'), ...membership, accessLevel: level, expiresAt: until }),
    fc.record({ type: kind('RemoveProjectMember'), ...membership, reason }),
    fc.record({ type: kind('EndProjectMembers'), projectId: fc.constant(7), ...ends }),
  ) as unknown as fc.Arbitrary<ProjectMemberCommand>;
  checkDecider(projectMemberDecider, command, {
    isRejection,
    holds: ({ members }) => expect(members).not.toHaveProperty('1'),
  });
});

test('refs are where the last recorded move left them', () => {
  const oid = fc.constantFrom(ZERO, 'a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40));
  const move = fc.record({
    ref: fc.constantFrom('refs/heads/a', 'refs/heads/b', 'refs/tags/c'),
    oldOid: oid,
    newOid: oid,
    commitCount: fc.constant(0),
    commitCountIsLowerBound: fc.boolean(),
    commitTitle: fc.constant(null),
    forced: fc.option(fc.boolean()),
  });
  const push = {
    projectId: fc.constant(7),
    pushId: fc.constantFrom('p', 'q'),
    via: fc.constantFrom('push' as const, 'api'),
    pushOptions: fc.constant([]),
  };
  const commits = fc.constant({
    ...{ commitCount: 1, commitCountIsLowerBound: false, authors: [], authorsAreComplete: false },
  });
  const command: fc.Arbitrary<RefLogCommand> = fc.oneof(
    fc.record({
      type: kind('RecordMoves'),
      ...push,
      moves: fc.uniqueArray(move, { selector: ({ ref }) => ref, minLength: 1, maxLength: 3 }),
      commits: fc.option(commits),
    }),
    fc.record({ type: kind('EndPush'), ...push }),
    fc.record({
      type: kind('RecordFork'),
      projectId: fc.constant(7),
      forkedFromProjectId: fc.constant(1),
      refs: fc.uniqueArray(
        fc.tuple(
          move.map(({ ref }) => ref),
          oid.filter((id) => id !== ZERO),
        ),
        {
          selector: ([ref]) => ref,
          maxLength: 3,
        },
      ),
      refCount: fc.option(fc.constant(3)),
    }),
  ) as unknown as fc.Arbitrary<RefLogCommand>;
  checkDecider(refLogDecider, command, {
    isRejection: (error) => error instanceof RefsDifferError,
    plain: ({ refs, open, isForked }) => [[...refs.toMap()].sort(), [...open].sort(), isForked],
    holds({ refs, open, isForked }, log) {
      const ends = log.filter(({ type }) => type === 'RepositoryForked');
      expect(ends).toHaveLength(isForked ? 1 : 0);
      const expected = new Map<string, string>();
      const untold = new Map<string, number>();
      for (const { type, data } of log) {
        if (type === 'PushReceived') {
          expect(data.refCount).toBe(untold.get(data.pushId));
          untold.delete(data.pushId);
          continue;
        }
        if (type === 'RepositoryForked' || type === 'RepositoryMoved') continue;
        if (data.via !== 'fork') untold.set(data.pushId!, (untold.get(data.pushId!) ?? 0) + 1);
        expect(data.oldOid).toBe(expected.get(data.ref) ?? ZERO);
        if (data.newOid === ZERO) expected.delete(data.ref);
        else expected.set(data.ref, data.newOid);
      }
      expect([...refs.toMap()].sort()).toEqual([...expected].sort());
      expect([...open.keys()].sort()).toEqual([...untold.keys()].sort());
    },
  });
});

const label = fc.constantFrom({ id: 1, title: 'a' }, { id: 2, title: 'k::a' }, { id: 3, title: 'k::b' });
const someLabels = fc.array(label, { maxLength: 3 });
const labelWishes = fc.record({
  set: fc.option(someLabels),
  add: someLabels,
  remove: fc.array(fc.constantFrom(1, 2, 3, 4), { maxLength: 2 }),
  now: fc.constantFrom(new Map(), new Map([[1, null]]), new Map([[2, { id: 3, title: 'k::b' }]])),
  exclusive: fc.boolean(),
});
const labelled = { labels: fc.constant(['a']), labelIds: fc.constant([1]) };

test('issues open once, close and reopen in turn, and their time never falls below zero', () => {
  const place = { projectId: fc.constant(1), iid: fc.constant(1) };
  const content = {
    title: word,
    description: fc.option(word),
    issueType: fc.constantFrom('issue', 'incident'),
    confidential: fc.boolean(),
    assigneeIds: fc.uniqueArray(user),
    milestoneId: fc.constant(null),
    dueDate: until,
    weight: fc.option(fc.integer({ min: -1, max: 3 })),
  };
  const actor = fc.record({ userId: user, level });
  const command = fc.oneof(
    fc.record({
      type: kind('OpenIssue'),
      ...place,
      issueId: fc.constant(1),
      authorId: user,
      content: fc.record({ ...content, ...labelled, title: fc.constantFrom('a', ' ') }),
      createdAt: fc.constant(null),
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        type: kind('UpdateIssue'),
        ...place,
        actor,
        changes: fc.record({ ...content, discussionLocked: fc.boolean() }, { requiredKeys: [] }),
        labels: labelWishes,
        stateEvent: fc.option(fc.constantFrom('close', 'reopen')),
        updatedAt: fc.constant(null),
      }),
    },
    fc.record({ type: kind('SetTimeEstimate'), ...place, seconds: fc.integer({ min: 0, max: 10_000 }) }),
    {
      weight: 2,
      arbitrary: fc.record({
        type: kind('AddTimeSpent'),
        ...place,
        userId: user,
        seconds: fc.integer({ min: -9000, max: 9000 }),
        summary: fc.constant(null),
      }),
    },
    fc.record({ type: kind('ResetTimeSpent'), ...place }),
  ) as unknown as fc.Arbitrary<IssueCommand>;
  checkDecider(issueDecider, command, {
    isRejection,
    holds(state, log) {
      expect(log.filter(({ type }) => type === 'IssueOpened').length).toBeLessThanOrEqual(1);
      const turns = log
        .map(({ type }) => type)
        .filter((type) => type === 'IssueClosed' || type === 'IssueReopened');
      turns.forEach((type, at) => {
        expect(type).toBe(at % 2 === 0 ? 'IssueClosed' : 'IssueReopened');
      });
      if (state.status === 'opened' || state.status === 'closed') {
        expect(state.timeSpent).toBeGreaterThanOrEqual(0);
        expect(state.title.trim()).not.toBe('');
      }
    },
  });
});

test('environments: names and slugs are unique in a project', () => {
  const on = { projectId: fc.constant(1), environmentId: fc.integer({ min: 1, max: 5 }) };
  const externalUrl = fc.option(fc.constantFrom('https://example.org', 'http://example.org/a', 'nonsense'), {
    freq: 2,
  });
  const command = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: kind('CreateEnvironment'), ...on, name: word, externalUrl }) },
    { weight: 2, arbitrary: fc.record({ type: kind('UpdateEnvironment'), ...on, name: word, externalUrl }) },
    fc.record({ type: kind('StopEnvironment'), ...on }),
    fc.record({ type: kind('DeleteEnvironment'), ...on }),
    fc.record({
      type: kind('ScheduleReviewAppDeletions'),
      projectId: fc.constant(1),
      environmentIds: fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
      dueAt: fc.constant('2026-01-02T00:00:00.000Z'),
    }),
    fc.record({
      type: kind('DeleteDueEnvironment'),
      ...on,
      now: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'),
    }),
  ) as unknown as fc.Arbitrary<EnvironmentCommand>;
  checkDecider(environmentDecider, command, {
    isRejection,
    plain: (state) => [...state],
    holds(state) {
      const all = [...state.values()];
      expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
      expect(new Set(all.map(({ slug }) => slug)).size).toBe(all.length);
    },
  });
});

test('names of feature flags and lists are unique, ids of their parts too, and named lists are there', () => {
  const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const small = fc.integer({ min: 1, max: 3 });
  const on = { projectId: fc.constant(1) };
  const onFlag = { ...on, featureFlagId: small };
  const onList = { ...on, featureFlagUserListId: small };
  const part = { id: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 2 }), isDeleted: fc.boolean() };
  const strategies = fc.array(
    fc.record({
      ...part,
      name: maybe(fc.constantFrom('default', 'userWithId', 'gitlabUserList')),
      parameters: maybe(fc.constantFrom({}, {}, { userIds: 'a,b' }, { userIds: 'a,a' })),
      userListId: maybe(fc.option(small)),
      scopes: fc.array(fc.record({ ...part, environmentScope: maybe(fc.constantFrom('*', 'a', 'b')) }), {
        maxLength: 2,
      }),
    }),
    { maxLength: 2 },
  );
  const name = fc.constantFrom('aa', 'bb', 'cc', 'A');
  const userXids = fc.constantFrom('', 'a', 'a,b', ',');
  const flag = { description: fc.constant(null), active: fc.boolean() };
  const command = fc.oneof(
    fc.record({ type: kind('CreateFeatureFlag'), ...onFlag, name, ...flag, strategies }),
    fc.record({ type: kind('UpdateFeatureFlag'), ...onFlag, name: maybe(name), ...flag, strategies }),
    fc.record({ type: kind('DeleteFeatureFlag'), ...onFlag }),
    fc.record({ type: kind('CreateFeatureFlagUserList'), ...onList, name, userXids }),
    fc.record({ type: kind('UpdateFeatureFlagUserList'), ...onList, name: maybe(name), userXids }),
    fc.record({ type: kind('DeleteFeatureFlagUserList'), ...onList }),
  ) as unknown as fc.Arbitrary<FeatureFlagCommand>;
  checkDecider(featureFlagDecider, command, {
    isRejection,
    plain: ({ flags, lists, ...last }) => [[...flags], [...lists], last],
    holds({ flags, lists }) {
      const all = [...flags.values()].flatMap((each) => each.strategies);
      const parts = [
        [...flags.values()].map((each) => each.name),
        [...lists.values()].map((each) => each.name),
        [...lists.values()].map(({ iid }) => iid),
        all.map(({ id }) => id),
        all.flatMap(({ scopes }) => scopes.map(({ id }) => id)),
      ];
      for (const values of parts) expect(new Set<unknown>(values).size).toBe(values.length);
      for (const { userListId } of all) if (userListId !== null) expect(lists.has(userListId)).toBe(true);
    },
  });
});

test('freeze periods hold cron expressions and a zone that exists', () => {
  const cron = fc.constantFrom('0 1 * * *', '*/5 * * * 1-5', '0 2 1 * *', 'x', '@daily');
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'UTC', 'Mars');
  const on = { freezePeriodId: fc.constant(1), projectId: fc.constantFrom(1, 1, 1, 1, 1, 2) };
  const command = fc.oneof(
    fc.record({
      type: kind('CreateFreezePeriod'),
      ...on,
      freezeStart: cron,
      freezeEnd: cron,
      cronTimezone: zone,
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        type: kind('UpdateFreezePeriod'),
        ...on,
        changes: fc.record({ freezeStart: cron, freezeEnd: cron, cronTimezone: zone }, { requiredKeys: [] }),
      }),
    },
    fc.record({ type: kind('DeleteFreezePeriod'), ...on }),
  ) as unknown as fc.Arbitrary<FreezePeriodCommand>;
  checkDecider(freezePeriodDecider, command, {
    isRejection,
    holds(state) {
      if (state.status !== 'present') return;
      expect([state.freezeStart, state.freezeEnd]).not.toContain('x');
      expect(state.cronTimezone).not.toBe('Mars');
    },
  });
});

test('releases: one at a time for a tag, unique links, and evidence once by itself', () => {
  const ofTag = { projectId: fc.constant(7), tagName: fc.constant('v1') };
  const id = fc.integer({ min: 1, max: 4 });
  const now = fc.constantFrom('2026-01-02', '2026-01-04');
  const project = { id: 7, name: 'p', description: null, createdAt: '2026-01-01' };
  const released = fc.constant({ tagOid: 'a'.repeat(40), commitOid: null, project, milestones: [] });
  const evidence = fc.option(fc.record({ releaseEvidenceId: id, released }));
  const milestoneIds = fc.uniqueArray(id, { maxLength: 2 });
  const attributes = { name: word, description: fc.option(word), releasedAt: day, milestoneIds };
  const linked = {
    name: word,
    url: word,
    filepath: fc.constantFrom(null, '/a', '/a/b', 'a', '/..', '/a/'),
    linkType: fc.constantFrom('other', 'image'),
  };
  const link = fc.record({ releaseLinkId: id, ...linked });
  const some = { requiredKeys: [] };
  const command = fc.oneof(
    fc.record({
      ...{ type: kind('CreateRelease'), ...ofTag, releaseId: id, userId: user, ...attributes },
      ...{
        links: fc.uniqueArray(link, { selector: (one) => one.releaseLinkId, maxLength: 2 }),
        now,
        evidence,
      },
    }),
    fc.record({
      ...{ type: kind('UpdateRelease'), ...ofTag, changes: fc.record(attributes, some), now, evidence },
    }),
    fc.record({ type: kind('DeleteRelease'), ...ofTag }),
    fc.record({ type: kind('DeleteReleaseOfDeletedTag'), ...ofTag, releaseId: id }),
    fc.record({ type: kind('AddReleaseLink'), ...ofTag, link }),
    fc.record({
      ...{ type: kind('UpdateReleaseLink'), ...ofTag, releaseLinkId: id },
      changes: fc.record(linked, some),
    }),
    fc.record({ type: kind('RemoveReleaseLink'), ...ofTag, releaseLinkId: id }),
    fc.record({ type: kind('CollectDueEvidence'), ...ofTag, now, evidence }),
  ) as fc.Arbitrary<ReleaseCommand>;
  checkDecider(releaseDecider, command, {
    isRejection,
    holds(state, log) {
      const lives = log.filter(({ type }) => type === 'ReleaseCreated' || type === 'ReleaseDeleted');
      expect(lives.every(({ type }, at) => (type === 'ReleaseCreated') === (at % 2 === 0))).toBe(true);
      if (state.status === 'absent') return;
      for (const field of ['name', 'url', 'filepath'] as const) {
        const values = state.links.map((one) => one[field]).filter((value) => value !== null);
        expect(new Set(values).size).toBe(values.length);
      }
      expect(state.evidences).toBeLessThan(2);
    },
  });
});

test('merge requests: merged once at most, and nothing else happens while a merge is under way', () => {
  const place = { projectId: fc.constant(7), iid: fc.constant(1) };
  const sha = fc.constantFrom('a'.repeat(40), 'b'.repeat(40));
  const mergeId = fc.constantFrom('m1', 'm2', 'm3');
  const branch = fc.constantFrom('main', 'stable', 'topic');
  const ids = fc.array(user, { maxLength: 2 });
  const tips = fc.record({ sourceSha: sha, targetSha: sha });
  const title = fc.constantFrom('a', 'Draft: a', '');
  const content = {
    ...{
      title,
      description: fc.option(word),
      targetBranch: branch,
    },
    ...{ assigneeIds: ids, reviewerIds: ids, milestoneId: fc.constant(null), squash: fc.boolean() },
    ...{ removeSourceBranch: fc.boolean(), allowCollaboration: fc.boolean() },
    approvalsBeforeMerge: fc.constant(null),
  };
  const commits = { sha, mergeCommitSha: fc.option(sha), squashCommitSha: fc.constant(null) };
  const command = fc.oneof(
    fc.record({
      ...{ type: kind('CreateMergeRequest'), ...place, mergeRequestId: fc.constant(91), authorId: user },
      ...{ sourceProjectId: fc.constant(7), sourceBranch: fc.constant('topic'), sourceSha: sha },
      ...{ targetSha: sha, ...content, ...labelled, createdAt: fc.constant(null) },
    }),
    fc.record({
      ...{ type: kind('UpdateMergeRequest'), ...place },
      actor: fc.record({ userId: user, level: fc.constantFrom(10, 20, 30) }),
      changes: fc.record(content, { requiredKeys: [] }),
      ...{ labels: labelWishes, tips, updatedAt: fc.constant(null) },
      stateEvent: fc.constantFrom('close', 'reopen', null),
    }),
    fc.record({ type: kind('ApproveMergeRequest'), ...place, userId: user, sha }),
    fc.record({ type: kind('RevokeApproval'), ...place, userId: user }),
    fc.record({
      type: kind('AddTimeSpent'),
      ...place,
      userId: user,
      seconds: fc.constant(60),
      summary: fc.constant(null),
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        ...{ type: kind('StartMerge'), ...place, mergeId, userId: user, sha, squash: fc.boolean() },
        ...{ removeSourceBranch: fc.boolean(), mergeMessage: word, squashMessage: word },
      }),
    },
    fc.record({
      type: kind('FinishMerge'),
      ...place,
      mergeId: fc.option(mergeId),
      mergedById: user,
      ...commits,
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        ...{ type: kind('FailMerge'), ...place, mergeId, reason: kind('conflict'), message: word },
      }),
    },
    fc.record({ type: kind('DeleteMergeRequest'), ...place }),
  ) as fc.Arbitrary<MergeRequestCommand>;
  checkDecider(mergeRequestDecider, command, {
    isRejection,
    holds(state, log) {
      expect(log.filter(({ type }) => type === 'MergeRequestMerged').length).toBeLessThan(2);
      for (const [at, { type }] of log.entries()) {
        const next = log[at + 1];
        if (type === 'MergeRequestMergeStarted' && next)
          expect(['MergeRequestMerged', 'MergeRequestMergeFailed']).toContain(next.type);
        if (type === 'MergeRequestDeleted') expect(next).toBeUndefined();
      }
      if (state.status === 'absent' || state.status === 'deleted') return;
      const approvers = state.approvals.map(({ userId }) => userId);
      expect(approvers).not.toContain(state.authorId);
      expect(new Set(approvers).size).toBe(approvers.length);
      expect(state.targetBranch).not.toBe('topic');
    },
  });
});

import { expect, test } from 'vitest';
import { pipelineAt, refusalOf } from '../testing/acting-pipeline.ts';
import { createPipeline, jobFacts, need } from '../testing/sample-pipeline.ts';

const [build, tests, deploy] = [
  jobFacts('build'),
  jobFacts('test', { stageIndex: 1 }),
  jobFacts('deploy', { stageIndex: 2 }),
];

test('jobs of the first stage are pending at once, and each later stage follows the one before', () => {
  const at = pipelineAt([build, jobFacts('lint'), tests, deploy]);
  expect(at.statuses()).toEqual(['pending', 'pending', 'created', 'created']);
  expect(at.status()).toBe('pending');
  at.run('build');
  expect(at.status()).toBe('running');
  expect(at.statuses()).toEqual(['success', 'pending', 'created', 'created']);
  at.run('lint');
  expect(at.statuses()).toEqual(['success', 'success', 'pending', 'created']);
  at.run('test');
  at.run('deploy');
  expect(at.status()).toBe('success');
});

test('after a failure later jobs are skipped, but for those that run on failure or always', () => {
  const at = pipelineAt([
    build,
    jobFacts('clean', { stageIndex: 1, when: 'on_failure' }),
    jobFacts('report', { stageIndex: 1, when: 'always' }),
    tests,
  ]);
  at.run('build', 'failed');
  expect(at.statuses()).toEqual(['failed', 'pending', 'pending', 'skipped']);
  at.run('clean');
  at.run('report');
  expect(at.status()).toBe('failed');
});

test('a failure that is allowed holds nothing up', () => {
  const at = pipelineAt([jobFacts('lint', { allowFailure: true }), tests]);
  at.run('lint', 'failed');
  expect(at.statuses()).toEqual(['failed', 'pending']);
  at.run('test');
  expect(at.status()).toBe('success');
});

test('one of its exit codes lets a job fail, and no other', () => {
  const lint = jobFacts('lint', { allowFailureExitCodes: [137] });
  const allowed = pipelineAt([lint, tests]);
  allowed.run('lint', 'failed', { exitCode: 137 });
  expect(allowed.statuses()).toEqual(['failed', 'pending']);
  const refused = pipelineAt([lint, tests]);
  refused.run('lint', 'failed', { exitCode: 1 });
  expect(refused.statuses()).toEqual(['failed', 'skipped']);
});

test('a job with needs waits for these alone, whatever their stage', () => {
  const at = pipelineAt([
    jobFacts('a'),
    jobFacts('b'),
    jobFacts('after-a', { stageIndex: 1, needs: [need('a'), need('absent', true)] }),
    jobFacts('at-once', { stageIndex: 2, needs: [] }),
    jobFacts('chained', { stageIndex: 1, needs: [need('after-a')] }),
  ]);
  expect(at.statuses()).toEqual(['pending', 'pending', 'created', 'pending', 'created']);
  at.run('a');
  at.run('after-a');
  expect(at.statuses()).toEqual(['success', 'pending', 'success', 'pending', 'pending']);
});

test('needs within a stage may be written in any order', () => {
  const at = pipelineAt([
    build,
    jobFacts('last', { stageIndex: 1, needs: [need('middle')] }),
    jobFacts('middle', { stageIndex: 1, needs: [need('first')] }),
    jobFacts('first', { stageIndex: 1 }),
  ]);
  at.run('build', 'failed');
  expect(at.statuses()).toEqual(['failed', 'skipped', 'skipped', 'skipped']);
});

test('a job whose need does not run is skipped', () => {
  const at = pipelineAt([
    jobFacts('gate', { when: 'manual', allowFailure: true }),
    jobFacts('behind', { stageIndex: 1, needs: [need('gate')] }),
    jobFacts('behind-that', { stageIndex: 1, needs: [need('behind')] }),
  ]);
  expect(at.statuses()).toEqual(['manual', 'skipped', 'skipped']);
  expect(at.status()).toBe('skipped');
  at.act({ type: 'PlayJob', jobId: 1, newJobId: 9, userId: 4, sealedVariables: null });
  expect(at.statuses()).toEqual(['pending', 'created', 'created']);
  at.run('gate');
  at.run('behind');
  expect(at.statuses()).toEqual(['success', 'success', 'pending']);
});

test('a manual job that may not fail blocks later stages until it is played', () => {
  const at = pipelineAt([jobFacts('gate', { when: 'manual' }), tests]);
  expect(at.statuses()).toEqual(['manual', 'created']);
  expect(at.status()).toBe('manual');
  at.act({ type: 'PlayJob', jobId: 1, newJobId: 9, userId: 4, sealedVariables: null });
  at.run('gate');
  expect(at.statuses()).toEqual(['success', 'pending']);
});

test('a delayed job is queued when it is due, or when it is played', () => {
  const at = pipelineAt([jobFacts('later', { when: 'delayed', startIn: 60 })]);
  expect(at.status()).toBe('scheduled');
  expect(at.act({ type: 'QueueDueJob', jobId: 1 })).toEqual([]);
  at.wait(60);
  at.act({ type: 'QueueDueJob', jobId: 1 });
  expect(at.statuses()).toEqual(['pending']);
  expect(at.act({ type: 'QueueDueJob', jobId: 1 })).toEqual([]);
});

test('a job of a resource group waits for the grant', () => {
  const at = pipelineAt([jobFacts('deploy', { resourceGroup: 'production' })]);
  expect(at.statuses()).toEqual(['waiting_for_resource']);
  at.act({ type: 'GrantResource', jobId: 1 });
  expect(at.statuses()).toEqual(['pending']);
  expect(at.act({ type: 'GrantResource', jobId: 1 })).toEqual([]);
});

test('a pending job gives its resource group back, and one that runs or has none keeps what it is', () => {
  const at = pipelineAt([jobFacts('deploy', { resourceGroup: 'production' }), jobFacts('free')]);
  at.act({ type: 'GrantResource', jobId: 1 });
  at.act({ type: 'AwaitResource', jobId: 1 });
  expect(at.act({ type: 'AwaitResource', jobId: 2 })).toEqual([]);
  expect(at.statuses()).toEqual(['waiting_for_resource', 'pending']);
  at.act({ type: 'GrantResource', jobId: 1 });
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect(at.act({ type: 'AwaitResource', jobId: 1 })).toEqual([]);
});

test('a job is started once, and what its runner says twice or too late changes nothing', () => {
  const at = pipelineAt([build]);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect(refusalOf(() => at.act({ type: 'StartJob', jobId: 1, runnerId: 6 }))).toMatch('conflict');
  const failed = { outcome: 'failed', failureReason: 'script_failure', exitCode: 1 } as const;
  at.act({ type: 'CompleteJob', jobId: 1, ...failed, coverage: null, newJobId: null });
  const passed = { outcome: 'success', failureReason: null, exitCode: 0 } as const;
  expect(at.act({ type: 'CompleteJob', jobId: 1, ...passed, coverage: null, newJobId: null })).toEqual([]);
  expect(at.statuses()).toEqual(['failed']);
  expect(refusalOf(() => at.act({ type: 'StartJob', jobId: 99, runnerId: 5 }))).toMatch('record_not_found');
});

test('a job is retried by itself as often as it says, for the reasons that it names', () => {
  const flaky = jobFacts('flaky', { retry: { max: 1, when: ['script_failure'] } });
  const at = pipelineAt([flaky, tests]);
  at.run('flaky', 'failed', { newJobId: 10 });
  expect(at.all()).toEqual([
    { id: 1, name: 'flaky', status: 'failed', isRetried: true },
    { id: 2, name: 'test', status: 'created', isRetried: false },
    { id: 10, name: 'flaky', status: 'pending', isRetried: false },
  ]);
  expect(at.status()).not.toBe('failed');
  at.run('flaky', 'failed', { newJobId: 11 });
  expect(at.status()).toBe('failed');
  const other = pipelineAt([flaky]);
  other.run('flaky', 'failed', { failureReason: 'runner_system_failure', newJobId: 10 });
  expect(other.all()).toHaveLength(1);
});

test('a retried job runs at once, and the jobs that were skipped after it wait again', () => {
  const at = pipelineAt([build, tests, deploy]);
  at.run('build', 'failed');
  expect(at.statuses()).toEqual(['failed', 'skipped', 'skipped']);
  const events = at.act({ type: 'RetryJob', jobId: 1, newJobId: 10, userId: 4 });
  expect(events.map(({ type }) => type)).toEqual([
    ...['JobRetried', 'JobCreated', 'JobReset', 'JobReset', 'PipelineStatusChanged'],
  ]);
  for (const name of ['build', 'test', 'deploy']) at.run(name);
  expect(at.status()).toBe('success');
  expect(refusalOf(() => at.act({ type: 'RetryJob', jobId: 1, newJobId: 11, userId: 4 }))).toMatch(
    /not retryable/,
  );
});

test('a job that is skipped again by a retry gets no event', () => {
  const at = pipelineAt([
    build,
    jobFacts('other'),
    jobFacts('after-build', { stageIndex: 1, needs: [need('build')] }),
  ]);
  at.run('build', 'failed');
  at.run('other', 'failed');
  const events = at.act({ type: 'RetryJob', jobId: 2, newJobId: 10, userId: 4 });
  expect(events.map(({ type }) => type)).toEqual(['JobRetried', 'JobCreated', 'PipelineStatusChanged']);
});

test('a retried pipeline runs failed and canceled jobs again, each when its turn comes', () => {
  const at = pipelineAt([build, jobFacts('lint'), tests]);
  at.run('lint');
  at.act({ type: 'CancelPipeline' });
  expect(at.statuses()).toEqual(['canceled', 'success', 'canceled']);
  expect(at.status()).toBe('canceled');
  at.act({ type: 'RetryPipeline', newJobIds: [10, 11], userId: 4 });
  expect(at.all().filter(({ isRetried }) => !isRetried)).toEqual([
    { id: 2, name: 'lint', status: 'success', isRetried: false },
    { id: 10, name: 'build', status: 'pending', isRetried: false },
    { id: 11, name: 'test', status: 'created', isRetried: false },
  ]);
});

test('a pipeline is canceled with all jobs that wait or run, and manual ones stay', () => {
  const at = pipelineAt([build, jobFacts('by-hand', { when: 'manual', allowFailure: true }), tests]);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  at.act({ type: 'CancelPipeline' });
  expect(at.statuses()).toEqual(['canceled', 'manual', 'canceled']);
  expect(at.status()).toBe('canceled');
  expect(at.act({ type: 'CancelPipeline' })).toEqual([]);
  at.act({ type: 'CancelJob', jobId: 2 });
  expect(at.statuses()).toEqual(['canceled', 'canceled', 'canceled']);
});

test('a newer pipeline of the ref cancels one whose started jobs may be interrupted', () => {
  const at = pipelineAt([jobFacts('build', { interruptible: true }), deploy]);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  at.act({ type: 'CancelRedundantPipeline' });
  expect(at.status()).toBe('canceled');
  const started = pipelineAt([build, deploy]);
  started.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect(started.act({ type: 'CancelRedundantPipeline' })).toEqual([]);
});

test('an ended job that people play runs again, with their variables', () => {
  const at = pipelineAt([jobFacts('deploy', { when: 'manual', allowFailure: true }), build]);
  const sealedVariables = 'sealed';
  at.act({ type: 'PlayJob', jobId: 1, newJobId: 8, userId: 4, sealedVariables });
  at.run('deploy');
  const events = at.act({ type: 'PlayJob', jobId: 1, newJobId: 9, userId: 5, sealedVariables });
  expect(events.at(-1)).toMatchObject({ type: 'JobPlayed', data: { jobId: 9, sealedVariables } });
  expect(at.all().at(-1)).toMatchObject({ id: 9, status: 'pending' });
  expect(
    refusalOf(() => at.act({ type: 'PlayJob', jobId: 2, newJobId: 10, userId: 4, sealedVariables })),
  ).toMatch(/Unplayable/);
});

test('a job that nobody picks, or that takes too long, is failed if it still waits or runs', () => {
  const at = pipelineAt([build, tests]);
  const drop = {
    type: 'DropJob',
    jobId: 1,
    failureReason: 'stuck_or_timeout_failure',
    newJobId: null,
  } as const;
  expect(at.act({ ...drop, from: 'running' })).toEqual([]);
  at.act({ ...drop, from: 'pending' });
  expect(at.statuses()).toEqual(['failed', 'skipped']);
});

test('times of a pipeline count while a job runs, and coverage is the mean', () => {
  const at = pipelineAt([build, jobFacts('lint'), tests]);
  at.wait(5);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  at.wait(10);
  at.act({ type: 'StartJob', jobId: 2, runnerId: 5 });
  at.wait(10);
  at.end('build', 'success', { coverage: 80 });
  at.end('lint', 'success', { coverage: 91 });
  at.wait(100);
  at.act({ type: 'StartJob', jobId: 3, runnerId: 5 });
  at.wait(7);
  at.end('test', 'success');
  expect(at.pipeline()).toMatchObject({
    status: 'success',
    startedAt: '2030-01-01T00:00:05.000Z',
    finishedAt: '2030-01-01T00:02:12.000Z',
    queuedDuration: 5,
    duration: 27,
    coverage: 85.5,
  });
});

test('a log is archived and artifacts are added while they may be, and erasing takes both away', () => {
  const at = pipelineAt([build]);
  const archive = {
    type: 'AddArtifact',
    jobId: 1,
    fileType: 'archive',
    fileFormat: 'zip',
    filename: 'a.zip',
    size: 3,
    expiresAt: null,
  } as const;
  const add = (sha256: string) => at.act({ ...archive, sha256 });
  expect(refusalOf(() => add('1'))).toMatch(/not running/);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect(refusalOf(() => at.act({ type: 'EraseJob', jobId: 1, userId: 4 }))).toMatch(/not erasable/);
  add('1');
  expect(add('1')).toEqual([]);
  expect(refusalOf(() => add('2'))).toMatch(/same type/);
  expect(at.act({ type: 'ArchiveLog', jobId: 1, size: 9, sha256: '3' })).toEqual([]);
  at.end('build', 'success');
  at.act({ type: 'ArchiveLog', jobId: 1, size: 9, sha256: '3' });
  expect(at.act({ type: 'ArchiveLog', jobId: 1, size: 9, sha256: '3' })).toEqual([]);
  at.act({ type: 'KeepArtifacts', jobId: 1 });
  expect(at.act({ type: 'DeleteArtifacts', jobId: 1, reason: 'expired' })).toEqual([]);
  const erased = at.act({ type: 'EraseJob', jobId: 1, userId: 4 });
  expect(erased.map(({ type }) => type)).toEqual(['JobArtifactDeleted', 'JobErased']);
  expect(refusalOf(() => at.act({ type: 'EraseJob', jobId: 1, userId: 4 }))).toMatch(/not erasable/);
});

test('a pipeline with an invalid configuration has failed from the beginning', () => {
  const at = pipelineAt([], { yamlErrors: 'jobs config should contain at least one visible job' });
  expect(at.status()).toBe('failed');
});

test('a deleted pipeline takes no command', () => {
  const at = pipelineAt([build]);
  at.act({ type: 'DeletePipeline' });
  expect(refusalOf(() => at.act({ type: 'CancelPipeline' }))).toMatch('record_not_found');
  expect(refusalOf(() => at.act(createPipeline([build])))).toMatch('conflict');
});

test('a thousand jobs are one append, and more are refused', () => {
  const jobs = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => jobFacts(`${name} ${index}`));
  const at = pipelineAt(jobs(1000, 'job'));
  expect(at.events).toHaveLength(1002);
  expect(refusalOf(() => pipelineAt(jobs(1001, 'job')))).toMatch(/1001 jobs, and the most is 1000/);
  expect(refusalOf(() => pipelineAt(jobs(1000, 'x'.repeat(250))))).toMatch(/bytes of names/);
  // A character of other alphabets has several bytes.
  expect(refusalOf(() => pipelineAt(jobs(1000, 'я'.repeat(60))))).toMatch(/bytes of names/);
  expect(refusalOf(() => pipelineAt(jobs(1000, 'x'.repeat(60))))).toBeUndefined();
});

test('a job whose runner left is pending again, once, and only if that runner still has it', () => {
  const { act, statuses, pipeline } = pipelineAt([jobFacts('build')]);
  act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect(act({ type: 'ReturnJob', jobId: 1, runnerId: 6 })).toEqual([]);
  expect(act({ type: 'ReturnJob', jobId: 1, runnerId: 5 }).map(({ type }) => type)).toEqual([
    'JobReturned',
    'PipelineStatusChanged',
  ]);
  expect(pipeline().jobs[0]).toMatchObject({ status: 'pending', startedAt: null, runnerId: null });
  expect(act({ type: 'ReturnJob', jobId: 1, runnerId: 5 })).toEqual([]);
  act({ type: 'StartJob', jobId: 1, runnerId: 6 });
  expect(statuses()).toEqual(['running']);
});

test('a bridge that has waited for a pipeline runs again, and what was skipped behind it waits again', () => {
  const bridge = jobFacts('bridge', { kind: 'bridge' });
  const { act, end, statuses, status, pipeline } = pipelineAt([bridge, jobFacts('after', { stageIndex: 1 })]);
  expect(act({ type: 'ReopenBridge', jobId: 1 })).toEqual([]);
  act({ type: 'StartJob', jobId: 1, runnerId: null });
  expect(act({ type: 'ReopenBridge', jobId: 1 })).toEqual([]);
  end('bridge', 'failed');
  expect(statuses()).toEqual(['failed', 'skipped']);
  act({ type: 'ReopenBridge', jobId: 1 });
  expect([statuses(), status()]).toEqual([['running', 'created'], 'running']);
  expect(pipeline().jobs[0]).toMatchObject({ finishedAt: null, failureReason: null });
  end('bridge', 'success');
  expect(statuses()).toEqual(['success', 'pending']);
});

test('a bridge that started its pipeline without waiting for it stays as it ended', () => {
  const { act, end, statuses } = pipelineAt([jobFacts('bridge', { kind: 'bridge' })]);
  end('bridge', 'success');
  expect(act({ type: 'ReopenBridge', jobId: 1 })).toEqual([]);
  expect(statuses()).toEqual(['success']);
});

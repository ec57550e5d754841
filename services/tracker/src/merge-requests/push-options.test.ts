import { expect, test } from 'vitest';
import { pushWishes } from './push-options.ts';

test('a push that says nothing of merge requests asks nothing', () => {
  expect(pushWishes([])).toBeNull();
  expect(pushWishes(['ci.skip', 'merge_requests.create'])).toBeNull();
});

test('each option is one wish, the last of its name', () => {
  const options = [
    ...['merge_request.create', 'merge_request.target=stable', 'merge_request.title=A = b'],
    ...['merge_request.description=One\\nTwo', 'merge_request.label=a', 'merge_request.label=b'],
    ...['merge_request.unlabel=c', 'merge_request.assign=ada', 'merge_request.remove_source_branch'],
    ...['merge_request.title=Last', 'merge_request.squash=false', 'merge_request.label='],
    'merge_request.merge_when_pipeline_succeeds',
  ];
  expect(pushWishes(options)).toEqual({
    ...{ create: true, target: 'stable', title: 'Last', description: 'One\nTwo', draft: false },
    ...{ squash: false, removeSourceBranch: true, labels: ['a', 'b'], unlabels: ['c'], assignees: ['ada'] },
    mergeWhenPipelineSucceeds: true,
  });
  expect(pushWishes(['merge_request.label=x'])).toMatchObject({
    ...{ create: false, target: undefined, title: undefined, removeSourceBranch: undefined },
    mergeWhenPipelineSucceeds: false,
  });
});

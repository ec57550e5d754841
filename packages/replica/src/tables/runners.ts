import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const runners: Part = {
  events: {
    RunnerRegistered: 1,
    RunnerUpdated: 1,
    RunnerRemoved: 1,
    RunnerEnabledForProject: 1,
    RunnerDisabledForProject: 1,
  },
  records: [
    defineRecords({
      kind: 'Runner',
      name: 'runners',
      about: 'Who executes jobs.',
      key: ['runner_id'],
      columns: {
        runner_id: whole('runnerId', 'Id of the runner.'),
        runner_type: text('runnerType', '`instance_type`, `group_type` or `project_type`.'),
        group_id: reference('groupId', 'Id of the group of a `group_type`.'),
        project_id: reference('projectId', 'Id of the project that a `project_type` was registered for.'),
        description: text('description', 'What people call it.'),
        active: flag('active', 'Whether it gets jobs'),
        tags: json('tags', 'Tags of the jobs that it may get'),
        run_untagged: flag('runUntagged', 'Whether it gets jobs without tags, too'),
        locked: flag('locked', 'Whether it cannot be enabled for further projects'),
        access_level: text('accessLevel', '`not_protected` or `ref_protected`.'),
        maximum_timeout: whole('maximumTimeout', 'Seconds after which it gives up a job, if any.'),
      },
      compare: {
        select: 'SELECT * FROM runners WHERE ended_at IS NULL',
        key: ['runner_id'],
        async *served(api) {
          for await (const { id } of api.list('/runners/all')) {
            const runner = await api.get(`/runners/${id}`);
            const { runner_type, description, access_level, maximum_timeout } = runner;
            const flags = {
              active: Number(runner.active),
              run_untagged: Number(runner.run_untagged),
              locked: Number(runner.locked),
            };
            const tags = JSON.stringify(runner.tag_list);
            yield { runner_id: id, runner_type, description, tags, access_level, maximum_timeout, ...flags };
          }
        },
      },
    }),
    defineRecords({
      kind: 'ProjectRunner',
      name: 'project_runners',
      about: 'Which runners of the `project_type` work for which projects.',
      key: ['runner_id', 'project_id'],
      columns: {
        runner_id: whole('runnerId', 'Id of the runner.'),
        project_id: reference('projectId', 'Id of the project.'),
      },
      compare: {
        select: 'SELECT * FROM project_runners WHERE ended_at IS NULL',
        key: ['runner_id', 'project_id'],
        async *served(api) {
          for await (const { id } of api.list('/runners/all?type=project_type'))
            for (const project of (await api.get(`/runners/${id}`)).projects)
              yield { runner_id: id, project_id: project.id };
        },
      },
    }),
  ],
};

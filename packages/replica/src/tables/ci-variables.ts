import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const ciVariables: Part = {
  events: { CiVariableAdded: 1, CiVariableChanged: 1, CiVariableRemoved: 1 },
  records: [
    defineRecords({
      kind: 'CiVariable',
      name: 'ci_variables',
      about: 'Variables that jobs get from a project, a group or the instance; values are never published.',
      key: ['variable_id'],
      columns: {
        variable_id: whole('variableId', 'Id of the variable.'),
        project_id: reference('projectId', 'Id of the project; null for variables of others.'),
        group_id: reference('groupId', 'Id of the group; null for variables of others.'),
        key: text('key', 'Name, unique in its place and environment scope.'),
        variable_type: text('variableType', '`env_var` or `file`.'),
        protected: flag('protected', 'Whether only jobs of protected branches and tags get it'),
        masked: flag('masked', 'Whether logs of jobs hide the value'),
        environment_scope: text('environmentScope', 'Environments whose jobs get it; `*` is any text.'),
      },
      compare: {
        select: 'SELECT * FROM ci_variables WHERE ended_at IS NULL',
        key: ['project_id', 'group_id', 'key', 'environment_scope'],
        async *served(api) {
          const columns = ({ value: _, ...variable }: Record<string, unknown>) => variable;
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const variable of api.list(`/projects/${project.id}/variables`))
              yield { project_id: project.id, group_id: null, ...columns(variable) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const variable of api.list(`/groups/${group.id}/variables`))
              yield { project_id: null, group_id: group.id, ...columns(variable) };
          for await (const variable of api.list('/admin/ci/variables'))
            yield { project_id: null, group_id: null, environment_scope: '*', ...columns(variable) };
        },
      },
    }),
  ],
};

import type { ChildInclude, Trigger, TriggerForward } from '../configuration.ts';
import { isText, type MapNode, type Node } from '../document/node.ts';
import { CHILD_INCLUDES } from '../limits.ts';
import type { Location } from './location.ts';
import {
  attribute,
  boolean,
  filledText,
  oneOf,
  part,
  type Reader,
  readFields,
  textOrTexts,
} from './reader.ts';

const FORWARD: TriggerForward = { yamlVariables: true, pipelineVariables: false };

const forward: Reader<TriggerForward> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const read = readFields(node, at, {
    yaml_variables: attribute(boolean),
    pipeline_variables: attribute(boolean),
  });
  return {
    yamlVariables: read.yaml_variables ?? FORWARD.yamlVariables,
    pipelineVariables: read.pipeline_variables ?? FORWARD.pipelineVariables,
  };
};

const common = { strategy: attribute(oneOf(['depend'], 'should be depend')), forward: part(forward) };

export const trigger: Reader<Trigger> = (node, at) => {
  if (isText(node)) {
    const project = filledText(node, at);
    return project === undefined
      ? undefined
      : { kind: 'project', project, branch: null, strategy: null, forward: FORWARD };
  }
  if (node.kind !== 'map') return at.error(node, 'has to be either a string or a hash');
  if (node.entries.has('include')) return child(node, at);
  const read = readFields(node, at, {
    project: attribute(filledText),
    branch: attribute(filledText),
    ...common,
  });
  if (!node.entries.has('project')) return at.error(node, 'must specify either project or include');
  if (read.project === undefined) return undefined;
  const { project, branch = null, strategy = null } = read;
  return { kind: 'project', project, branch, strategy, forward: read.forward ?? FORWARD };
};

function child(node: MapNode, at: Location): Trigger | undefined {
  const {
    include,
    strategy = null,
    forward: passed = FORWARD,
  } = readFields(node, at, {
    include: part(childIncludes),
    ...common,
  });
  return include && { kind: 'child', include, strategy, forward: passed };
}

const childIncludes: Reader<ChildInclude[]> = (node, at) => {
  const nodes = node.kind === 'list' ? node.items : [node];
  if (nodes.length === 0 || nodes.length > CHILD_INCLUDES)
    return at.error(node, `is too long (maximum is ${CHILD_INCLUDES})`);
  return nodes.flatMap((one) => childInclude(one, at) ?? []);
};

function childInclude(node: Node, at: Location): ChildInclude[] | undefined {
  if (isText(node)) return [{ kind: 'local', path: node.value }];
  if (node.kind !== 'map') return at.error(node, 'should be a string or a hash');
  const read = readFields(node, at, {
    local: attribute(filledText),
    template: attribute(filledText),
    artifact: attribute(filledText),
    job: attribute(filledText),
    project: attribute(filledText),
    file: attribute(textOrTexts),
    ref: attribute(filledText),
  });
  const { local, template, artifact, job, project, file, ref = null } = read;
  const kinds = [local, template, artifact, project].filter((one) => one !== undefined);
  if (kinds.length !== 1) return at.error(node, 'must specify one of local, template, artifact and project');
  if (local !== undefined) return [{ kind: 'local', path: local }];
  if (template !== undefined) return [{ kind: 'template', name: template }];
  if (artifact !== undefined)
    return job === undefined
      ? at.error(node, 'must specify the job where to fetch the artifact from')
      : [{ kind: 'artifact', path: artifact, job }];
  if (!file) return at.error(node, 'must specify the file where to fetch the config from');
  return file.map((path) => ({ kind: 'project', project: project!, path, ref }));
}

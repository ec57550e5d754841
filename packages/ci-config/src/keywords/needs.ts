import type { Need } from '../configuration.ts';
import { isText, type MapNode, type Node } from '../document/node.ts';
import { CROSS_PROJECT_NEEDS } from '../limits.ts';
import type { Location } from './location.ts';
import { attribute, boolean, filledText, type Reader, readFields } from './reader.ts';

/** Jobs to wait for, artifacts from elsewhere, or a pipeline whose status is mirrored. */
export const needs: Reader<Need[]> = (node, at) => {
  if (isText(node) || node.kind === 'map') return needs({ ...emptyList(node), items: [node] }, at);
  if (node.kind !== 'list') return at.error(node, 'can only be a hash or an array');
  const found = node.items.map((item) => need(item, at)).filter((one) => one !== undefined);
  if (found.filter(({ kind }) => kind === 'project').length > CROSS_PROJECT_NEEDS)
    return at.error(node, `:cross_dependency is too long (maximum is ${CROSS_PROJECT_NEEDS})`);
  return found;
};

const emptyList = ({ file, offset }: Node) => ({ kind: 'list' as const, items: [], size: 0, file, offset });

function need(node: Node, at: Location): Need | undefined {
  const place = { file: node.file, offset: node.offset };
  if (isText(node)) return { kind: 'job', job: node.value, artifacts: true, optional: false, place };
  const one = at.part('need');
  if (node.kind !== 'map') return one.error(node, 'has an unsupported type');
  if (node.entries.has('project')) return ofProject(node, one);
  if (node.entries.has('pipeline')) return ofPipeline(node, one);
  const {
    job,
    artifacts = true,
    optional = false,
  } = readFields(node, one, {
    job: attribute(filledText),
    artifacts: attribute(boolean),
    optional: attribute(boolean),
  });
  if (!node.entries.has('job')) return one.attribute('job').error(node, "can't be blank");
  return job === undefined ? undefined : { kind: 'job', job, artifacts, optional, place };
}

function ofProject(node: MapNode, at: Location): Need | undefined {
  const place = { file: node.file, offset: node.offset };
  const {
    project,
    job,
    ref,
    artifacts = true,
  } = readFields(node, at, {
    project: attribute(filledText),
    job: attribute(filledText),
    ref: attribute(filledText),
    artifacts: attribute(boolean),
  });
  if (!node.entries.has('job')) {
    if (node.entries.has('ref')) return at.attribute('job').error(node, "can't be blank");
    return project === undefined ? undefined : { kind: 'status', project, place };
  }
  if (!node.entries.has('ref')) return at.attribute('ref').error(node, "can't be blank");
  if (project === undefined || job === undefined || ref === undefined) return undefined;
  return { kind: 'project', project, job, ref, artifacts, place };
}

function ofPipeline(node: MapNode, at: Location): Need | undefined {
  const place = { file: node.file, offset: node.offset };
  const {
    pipeline,
    job,
    artifacts = true,
  } = readFields(node, at, {
    pipeline: attribute(filledText),
    job: attribute(filledText),
    artifacts: attribute(boolean),
  });
  if (pipeline === undefined) return undefined;
  if (!node.entries.has('job')) return { kind: 'status', project: pipeline, place };
  return job === undefined ? undefined : { kind: 'pipeline', pipeline, job, artifacts, place };
}

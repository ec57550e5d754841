import type { Retry } from '../configuration.ts';
import { attribute, integer, oneOf, type Reader, readFields } from './reader.ts';

const MOST = 2;

/** Failure reasons that a runner or the server reports. */
const REASONS = [
  'always',
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'forward_deployment_failure',
  'user_blocked',
  'project_deleted',
] as const;

export const NO_RETRY: Retry = { max: 0, when: ['always'] };

const reason = oneOf(REASONS);
const reasons: Reader<string[]> = (node, at) => {
  const nodes = node.kind === 'list' ? node.items : [node];
  return nodes.map((one) => reason(one, at)).filter((one) => one !== undefined);
};

export const retry: Reader<Retry> = (node, at) => {
  if (node.kind === 'map') {
    const { max = 0, when = NO_RETRY.when } = readFields(node, at, {
      max: attribute(integer(0, MOST)),
      when: attribute(reasons),
    });
    return { max, when };
  }
  if (node.kind !== 'scalar' || typeof node.value !== 'number')
    return at.error(node, 'has to be either an integer or a hash');
  const max = integer(0, MOST)(node, at);
  return max === undefined ? undefined : { max, when: NO_RETRY.when };
};

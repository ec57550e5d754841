import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import type { HookMessage } from './web-hook-sender.ts';
import type { WebHookRow } from './web-hooks.projection.ts';

/** Whether a hook is told of it: what it is about must be switched on, and the filter must let the branch through. */
export function wantsMessage(
  { triggers, branchFilter }: Pick<WebHookRow, 'triggers' | 'branchFilter'>,
  { trigger, branch }: Pick<HookMessage, 'trigger' | 'branch'>,
): boolean {
  if (!triggers.includes(trigger)) return false;
  return branch === null || branchFilter === null || refPattern(branchFilter)(branch);
}

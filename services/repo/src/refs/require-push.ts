import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RefAccess } from './ref.access.ts';
import type { RefMoveKind } from './ref-protection.rules.ts';

/** @throws 403, which names the branch's rules to those alone who push elsewhere */
export function requirePush(access: RefAccess, ref: string, kind: RefMoveKind): void {
  if (access.mayMove(ref, kind)) return;
  const reason = 'You are not allowed to push into this branch';
  throw new Rejection('forbidden', access.extent === 'none' ? {} : { reason });
}

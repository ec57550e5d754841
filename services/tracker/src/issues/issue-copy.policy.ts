import { IssueCopied } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { issueCopies } from './issue-copies.ts';

/** Makes copies of issues whole, whoever was killed half-way. */
export function issueCopyPolicy(ports: ServicePorts): Policy {
  const copies = issueCopies(ports);
  return definePolicy({
    name: 'copied-issues',
    handles: [IssueCopied],
    actsAs: 'actor',
    laneOf: ({ data }) => String(data.issueId),
    react: ({ data }, { metadata, signal }) => copies.goOn(data, metadata, signal),
  });
}

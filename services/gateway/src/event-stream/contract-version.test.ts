import { events } from '@forgelog/contracts/events.ts';
import { CONTRACT_VERSION } from '@forgelog/contracts/released/current.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { expect, test } from 'vitest';
import { createContractVersions } from './contract-version.ts';
import type { Reach } from './reach.ts';

const reach = { frame: () => ({ id: '1', json: '{}' }) } as Partial<Reach> as Reach;
/** With a program that has no way back to the issues of the first release. */
const asContract = createContractVersions(
  createCatalogue(
    events.map((event) =>
      event.type === 'IssueUpdated' ? { ...event, downcast: { [event.version]: null } } : event,
    ),
  ),
);

test('a version that this program cannot serve is refused with the reason, every time', () => {
  for (let time = 0; time < 2; time++)
    expect(() => asContract('1.0', reach)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        details: {
          problems: [
            expect.stringMatching(
              /^contract "1\.0" cannot be served .*IssueUpdated has no way back to version 1/,
            ),
          ],
        },
      }),
    );
});

test('the newest version is served as it is', () => {
  expect(asContract(undefined, reach)).toBe(reach);
  expect(asContract(CONTRACT_VERSION, reach)).toBe(reach);
});

/**
 * `npm run contract`: after a change of events, writes the version and the fingerprint of their contract, and its
 * changelog. `npm run contract -- --release` keeps the version for ever: its schemas and samples are then what later
 * programs are held to.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { events } from '@forgelog/contracts/events.ts';
import { contractChangelog } from '@forgelog/contracts/released/changelog.ts';
import { fingerprintOf } from '@forgelog/contracts/released/contract.ts';
import { requiredVersion } from '@forgelog/contracts/released/contract-version.ts';
import { currentContract } from '@forgelog/contracts/released/current.ts';
import { folded, releases } from '@forgelog/contracts/released/releases.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/contracts/src/released');

const contract = currentContract();
const version = requiredVersion(contract, events, releases());
const isReleased = releases().at(-1)?.version === version;
const versions = isReleased ? releases() : [...releases(), { version, ...contract }];

function write(file: string, text: string): void {
  writeFileSync(file, text);
  process.stdout.write(`${file}\n`);
}

write(
  join(folder, 'current.json'),
  `${JSON.stringify({ version, fingerprint: fingerprintOf(contract) }, null, 2)}\n`,
);
write(join(root, 'docs/events-changelog.md'), contractChangelog(versions));

if (process.argv.includes('--release')) {
  if (isReleased) {
    process.stderr.write(`Nothing changed since ${version}, which is released.\n`);
    process.exitCode = 1;
  } else {
    const release = folded(contract, releases().at(-1));
    write(join(folder, `${version}.json`), `${JSON.stringify(release)}\n`);
  }
}

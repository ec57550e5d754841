import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './package.events.examples.json' with { type: 'json' };
import { PACKAGE_STATUSES, PACKAGE_TYPES, PUBLISHED_KINDS } from './package.values.ts';

const ids = { packageId: z.int().describe('Id of the package.'), projectId };
const named = {
  packageType: z.enum(PACKAGE_TYPES).describe('Kind of the package.'),
  name: personal(z.string().describe('Name of the package.')),
  version: personal(z.string().nullable().describe('Version of the package; null for none.')),
};
const status = z
  .enum(PACKAGE_STATUSES)
  .describe('`default`, or `hidden` for one that lists leave out unless they are asked for it.');
const file = {
  packageFileId: z.int().describe('Id of the file.'),
  ...ids,
  filename: personal(z.string().describe('Name of the file; later files of a package may have it too.')),
  size: z.int().describe('Bytes of the file.'),
  fileSha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
};

const common = {
  version: 1,
  subject: 'package-<projectId>/<sha256>',
  isSubjectPersonal: true,
  service: 'repo',
  activity: 'unnamed',
} as const;

export const PackageCreated = defineEvent({
  ...common,
  type: 'PackageCreated',
  description: 'A package began; the hash in the subject is that of its kind, name and version.',
  audit: 'content',
  example: examples.PackageCreated,
  schema: z.object({ ...ids, ...named, status }),
});

export const PackageUpdated = defineEvent({
  ...common,
  type: 'PackageUpdated',
  description: 'The status of a package changed.',
  audit: 'content',
  example: examples.PackageUpdated,
  schema: z.object({ ...ids, ...changed({ status }) }),
});

export const PackageDeleted = defineEvent({
  ...common,
  type: 'PackageDeleted',
  description: 'A package was deleted with all of its files.',
  audit: privileged('Project', 'Package'),
  example: examples.PackageDeleted,
  schema: z.object({
    ...ids,
    files: z
      .array(
        z.object({
          packageFileId: file.packageFileId,
          fileSha256: file.fileSha256,
        }),
      )
      .describe('The files that ended with it.'),
  }),
});

export const PackageFileCreated = defineEvent({
  ...common,
  type: 'PackageFileCreated',
  description: 'A package got a file. Its bytes are beside the log.',
  audit: 'content',
  example: examples.PackageFileCreated,
  schema: z.object({
    ...file,
    fileSha1: z.string().describe('SHA-1 of the file, in hexadecimal.'),
    fileMd5: z.string().describe('MD5 of the file, in hexadecimal.'),
  }),
});

export const PackageFileDeleted = defineEvent({
  ...common,
  type: 'PackageFileDeleted',
  description: 'A file of a package was deleted.',
  audit: privileged('Project', 'PackageFile'),
  example: examples.PackageFileDeleted,
  schema: z.object(file),
});

export const DebianFilePublished = defineEvent({
  ...common,
  type: 'DebianFilePublished',
  description: 'A file of a Debian package was put into a distribution, whose indexes name it from now on.',
  audit: 'content',
  example: examples.DebianFilePublished,
  schema: z.object({
    packageFileId: file.packageFileId,
    ...ids,
    debianDistributionId: z.int().describe('Id of the distribution.'),
    kind: z.enum(PUBLISHED_KINDS).describe('Binary package, binary package of installers, or source.'),
    component: personal(z.string().describe('Component of the distribution.')),
    architecture: personal(z.string().describe('Architecture that it is for; `all` for any, or `source`.')),
    control: personal(z.string().describe('What the file says of itself, as lines of an index.')),
  }),
});

export const packageEvents = [
  PackageCreated,
  PackageUpdated,
  PackageDeleted,
  PackageFileCreated,
  PackageFileDeleted,
  DebianFilePublished,
] as const;
export type PackageEvent = EventOf<(typeof packageEvents)[number]>;

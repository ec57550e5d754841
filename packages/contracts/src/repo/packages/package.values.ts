/** The kinds of packages of this API family; those without an endpoint here have no packages. */
export const PACKAGE_TYPES = [
  'maven',
  'npm',
  'conan',
  'nuget',
  'pypi',
  'composer',
  'generic',
  'golang',
  'debian',
  'rubygems',
  'helm',
  'terraform_module',
] as const;
export type PackageType = (typeof PACKAGE_TYPES)[number];

/** `hidden` packages are left out of lists; the last two are of packages that are made in several steps. */
export const PACKAGE_STATUSES = ['default', 'hidden', 'processing', 'error'] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** A package has so many files at most, since all of them are one stream. */
export const MOST_PACKAGE_FILES = 5000;

/** Kinds of files that indexes of a Debian distribution name. */
export const PUBLISHED_KINDS = ['deb', 'udeb', 'dsc'] as const;
export type PublishedKind = (typeof PUBLISHED_KINDS)[number];

/** Until a `.changes` says where they belong, files of Debian packages are in the package of this name without a version. */
export const INCOMING = 'incoming';

/** Bytes of a file of a Debian package. */
export const MOST_DEBIAN_BYTES = 3 * 1024 ** 3;

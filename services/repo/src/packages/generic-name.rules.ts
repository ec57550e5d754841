import { Rejection } from '@forgelog/contracts/errors.ts';

const NAME = /^[A-Za-z0-9._+-]+$/;
const VERSION = /^[\w+.-]+$/;
const FILE = /^(?!~)[A-Za-z0-9._+~-]+$/;

const matches = (form: RegExp, text: string) => form.test(text) && !text.includes('..') && /[^.]/.test(text);

/** Names are parts of addresses, and of paths where they are saved. @throws 400 naming each that is not one */
export function requireGenericNames(names: {
  package_name: string;
  package_version: string;
  file_name: string;
}): void {
  const { package_name, package_version, file_name } = names;
  const problems = [
    ...(matches(NAME, package_name) ? [] : ['package_name is invalid']),
    ...(matches(VERSION, package_version) ? [] : ['package_version is invalid']),
    ...(matches(FILE, file_name) ? [] : ['file_name is invalid']),
  ];
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
}

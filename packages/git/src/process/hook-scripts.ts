/**
 * git's hooks: they forward each request over inherited descriptors and obey the answer. The supervisor writes them at
 * start, so no checkout, image or archive can lose their executable bit.
 */
import { accessSync, constants } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ANSWER = `
read -r verdict <&4 || exit 1
[ "$verdict" = ok ] && exit 0
while IFS= read -r line <&4; do
  [ "$line" = . ] && break
  printf '%s\\n' "\${line#+}" >&2
done
[ "$verdict" = said ] && exit 0
exit 1
`;

/** Sends the updates, the push options and the quarantine folder. */
const PRE_RECEIVE = `#!/bin/sh
newline='
'
{
  printf 'pre-receive\\n'
  printf 'objects %s\\n' "$GIT_OBJECT_DIRECTORY"
  printf 'alternates %s\\n' "$GIT_ALTERNATE_OBJECT_DIRECTORIES"
  i=0
  while [ "$i" -lt "\${GIT_PUSH_OPTION_COUNT:-0}" ]; do
    eval "option=\\$GIT_PUSH_OPTION_$i"
    case "$option" in *"$newline"*) ;; *) printf 'option %s\\n' "$option" ;; esac
    i=$((i + 1))
  done
  while read -r update; do printf 'update %s\\n' "$update"; done
  printf '\\n'
} >&3
${ANSWER}`;

/** Sends the state (prepared, committed, aborted) and the updates. Only `prepared` waits for an answer. */
const REFERENCE_TRANSACTION = `#!/bin/sh
{
  printf 'transaction %s\\n' "$1"
  while read -r update; do printf 'update %s\\n' "$update"; done
  printf '\\n'
} >&3
[ "$1" = prepared ] || exit 0
${ANSWER}`;

const SCRIPTS = { 'pre-receive': PRE_RECEIVE, 'reference-transaction': REFERENCE_TRANSACTION };

const hooksFolder = (parent: string) => join(parent, 'hooks');

export async function writeHooks(parent: string): Promise<void> {
  const folder = hooksFolder(parent);
  await mkdir(folder, { mode: 0o700 });
  for (const [name, script] of Object.entries(SCRIPTS)) {
    await writeFile(join(folder, name), script, { mode: 0o700 });
  }
}

/**
 * Adds the hooks to an environment.
 * @throws Error if one is missing: git would skip it and accept a push that is not recorded
 */
export function withHooks(parent: string, env: Record<string, string>): Record<string, string> {
  const folder = hooksFolder(parent);
  for (const name of Object.keys(SCRIPTS)) accessSync(join(folder, name), constants.X_OK);
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'core.hooksPath',
    [`GIT_CONFIG_VALUE_${count}`]: folder,
  };
}

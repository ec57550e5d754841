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
  n=0
  while [ "$n" -lt 20 ] && read -r update; do
    printf 'update %s\\n' "$update"
    n=$((n + 1))
  done
  [ "$n" -lt 20 ] || sed 's/^/update /'
  printf '\\n'
} >&3
${ANSWER}`;

/**
 * git hands it all refs of a push, as packets, and reads what became of each (`githooks(5)`). It passes both on, and
 * knows no more of them: `cat` and `head` copy bytes, where the shell would read one at a time.
 */
const PROC_RECEIVE = `#!/bin/sh
exec 5<&0
printf '000eversion=1\\n0000'
printf 'proc-receive\\n' >&3
cat <&5 >&3 2>/dev/null &
read -r length <&4 || exit 1
case "$length" in *[!0-9]*) exit 1 ;; esac
exec head -c "$length" <&4
`;

const SCRIPTS = { 'pre-receive': PRE_RECEIVE, 'proc-receive': PROC_RECEIVE };

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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';
import { emptyFolder } from '../support/stock-git.ts';

const root = join(import.meta.dirname, '../..');

/**
 * What a test cannot have: users, root, a network. `systemctl` runs the command of the unit, with its settings. That
 * `npm run setup` does what the page says is in tests/infra/setup.test.ts.
 */
const STAND_INS = `
server=
useradd() { test "\${@: -1}" = forgelog; }
runuser() { test "$*" = "-u forgelog -- bash"; test -d "$DATA_DIR"; env | grep -q '^SECRET_KEY='; }
install() { command install --directory --mode=0700 "\${@: -1}"; }
git() { test "$*" = "pull --ff-only"; }
journalctl() { test "$1 $2" = "-u forgelog"; cat "$PLACE/journal"; }
npm() { if test "$*" = "run setup"; then echo "set up"; else command npm "\${@:1:1}" -s "\${@:2}"; fi; }
systemctl() {
  unit="$PLACE/etc/systemd/system/$2"
  test -f "$unit" || test -f "$unit.service"
  case "$1" in
    enable) command -v systemd-analyze > /dev/null || return 0; grep -q '^WantedBy=' "$unit"* ;;
    status) kill -0 "$server" ;;
    stop) kill "$server"; wait "$server" ;;
    restart) systemctl stop "$2"; systemctl start "$2" ;;
    start)
      if test "$2" != forgelog; then return 0; fi
      env DELETION_ADJOURNED_PERIOD=7 $(cat "$PLACE/etc/forgelog/forgelog.env") $(sed -n 's/^ExecStart=//p' "$unit.service") >> "$PLACE/journal" 2>&1 &
      server=$!
      until curl --silent --fail "$ADDRESS/-/readiness" > /dev/null; do kill -0 "$server"; sleep 0.2; done
      # Somebody who asks for something.
      curl --silent --fail "$ADDRESS/api/v4/projects" > /dev/null
      test -v TOKEN || delete_project ;;
  esac
}
# A project that its owner has deleted, and the words of the page for where it is and who they are.
delete_project() {
  FORGELOG=$ADDRESS
  TOKEN=$(sed -n 's/.*(shown only now): //p' "$PLACE/journal")
  api() { curl --silent --fail --header "PRIVATE-TOKEN: $TOKEN" --output "$PLACE/answer" "$@"; }
  api "$ADDRESS/api/v4/groups" --data "name=engines&path=engines"
  api "$ADDRESS/api/v4/projects" --data "name=pump&path=pump" --data "namespace_id=$(sed 's/{"id":\\([0-9]*\\).*/\\1/' "$PLACE/answer")"
  api --request DELETE "$ADDRESS/api/v4/projects/1"
}
trap 'kill "$server" && wait "$server"' EXIT
`;

test('the commands of docs/run.md do what it says, from the first to the last', {
  timeout: 900_000,
}, async () => {
  const place = await emptyFolder();
  const [port] = await freePorts(1);
  const address = `http://127.0.0.1:${port}`;
  for (const folder of ['etc/systemd/system', 'data', 'tmp'])
    await mkdir(join(place, folder), { recursive: true });
  const page = await readFile(join(root, 'docs/run.md'), 'utf8');
  let script = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('');
  // One after the other: the first name is part of the second.
  const places = {
    '/var/lib/forgelog-': `${place}/restored/`,
    '/var/lib/forgelog': `${place}/data`,
    '/backup/forgelog': `${place}/backup`,
    '/etc/': `${place}/etc/`,
    'http://127.0.0.1:8080': address,
    '/projects/17': '/projects/1',
  };
  for (const [named, here] of Object.entries(places)) {
    expect(script).toContain(named);
    script = script.replaceAll(named, here);
  }
  await mkdir(join(place, 'restored'));
  await writeFile(join(place, 'script'), `${STAND_INS}${script}`);
  const child = spawn('bash', ['-eu', join(place, 'script')], {
    cwd: root,
    env: {
      ...PROGRAM_ENVIRONMENT,
      ...{ PLACE: place, ADDRESS: address, PORT: String(port), DATA_DIR: join(place, 'data') },
      ...{ LOG_LEVEL: 'error', HOME: place },
    },
  });
  const [[code], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(code, `${output}${errors}`).toBe(0);
  expect(output.match(/^set up$/gm)).toHaveLength(2);
  expect(output).toMatch(/personal access token \(shown only now\): \S+/);
  expect(output.match(/The backup has \d+ files/g)).toHaveLength(2);
  expect(output.match(/Everything is restored\./g)).toHaveLength(2);
  expect(output.match(/No problem was found\./g)!.length).toBeGreaterThanOrEqual(2);
  expect(output).toMatch(/forgelog_busiest_users_requests/);
  expect(output).toMatch(/"202 Accepted"/);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { commit, git, gitBytes, projectToPush, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

async function ruledProject(rule: object) {
  const project = await projectToPush(forgelog);
  await git(project.folder, 'push', 'origin', 'main');
  const { status, text } = await forgelog.post(`/projects/${project.id}/push_rule`, rule);
  if (status !== 201) throw new Error(text);
  const push = async (...refs: string[]) => (await tryGit(project.folder, 'push', 'origin', ...refs)).stderr;
  const add = async (path: string, content: string) => {
    await writeFile(join(project.folder, path), content);
    await git(project.folder, 'add', '-A');
    await git(project.folder, 'commit', '-qm', `Add ${path.replace(/\W/g, '')}`);
  };
  return { ...project, push, add };
}

test.each([
  [{ commit_message_regex: '^FIX' }, "Commit message does not follow the pattern '^FIX'"],
  [{ commit_message_negative_regex: 'Bad' }, "Commit message contains the forbidden pattern 'Bad'"],
  [
    { author_email_regex: '@corp\\.example$' },
    "Author's email 'ann@example.org' does not follow the pattern '@corp\\.example$'",
  ],
  [{ member_check: true }, "Author 'ann@example.org' is not a member of team"],
  [{ commit_committer_check: true }, "You cannot push commits for 'carl@example.org'."],
  [{ reject_unsigned_commits: true }, 'Commit must be signed'],
])('%j looks at every new commit of a push, and at no other', async (rule, problem) => {
  const { folder, push } = await ruledProject(rule);
  // Commits of a branch are no longer new.
  expect(await push('main:again')).toContain('[new branch]');
  await commit(folder, 'Bad one');
  await commit(folder, 'FIX-2 good one');
  const refused = await push('main');
  expect(refused).toContain(`remote: ${problem}`);
  expect(refused).toContain('pre-receive hook declined');
  // A tag does not smuggle commits in.
  expect(await push('main:refs/tags/smuggler')).toContain('[new tag]');
  expect(await push('main')).toContain(`remote: ${problem}`);
});

test('names and sizes of new files are looked at in the quarantine', async () => {
  const rule = { file_name_regex: '\\.exe$', prevent_secrets: true, max_file_size: 1 };
  const { folder, push, add } = await ruledProject(rule);
  const refuses = async (path: string, content: string, problem: string) => {
    await add(path, content);
    expect(await push('main')).toContain(problem);
    await git(folder, 'reset', '-q', '--hard', 'HEAD~1');
  };
  await refuses('a.exe', 'x', 'File name a.exe was prohibited by the pattern "\\.exe$".');
  await refuses('id_rsa', 'x', 'File name id_rsa was prohibited');
  await refuses('large', 'x'.repeat(2 ** 20 + 1), 'File "large" is larger than the allowed size of 1 MiB.');
  await refuses('\x1b[31mred\n.exe', 'x', 'File name ?[31mred?.exe was prohibited');
  // A file that goes again in the same push is still in the history.
  await add('b.exe', 'x');
  await git(folder, 'rm', '-q', 'b.exe');
  await git(folder, 'commit', '-qm', 'Remove');
  expect(await push('main')).toContain('File name b.exe was prohibited');
  await git(folder, 'reset', '-q', '--hard', 'HEAD~2');
  await add('fine', 'x'.repeat(2 ** 20));
  expect(await push('main')).not.toContain('remote:');
});

test('a signature of any kind is one, whoever made it', async () => {
  const { folder, push } = await ruledProject({ reject_unsigned_commits: true });
  const [tree, parent] = [
    await git(folder, 'rev-parse', 'HEAD^{tree}'),
    await git(folder, 'rev-parse', 'HEAD'),
  ];
  const person = 'A <a@example.org> 1700000000 +0000';
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----';
  const text = `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n${signature}\n\nSigned\n`;
  const id = (await gitBytes(folder, text, 'hash-object', '-t', 'commit', '-w', '--stdin')).toString().trim();
  expect(await push(`${id}:refs/heads/signed`)).toContain('[new branch]');
  await commit(folder, 'Unsigned');
  expect(await push('main')).toContain('Commit must be signed');
});

test('branches have the names that the rule wants, the default one excepted, and tags stay', async () => {
  const { folder, push } = await ruledProject({ branch_name_regex: '^fix/', deny_delete_tag: true });
  await commit(folder, 'More');
  expect(await push('main', 'main:fix/1')).toContain('[new branch]');
  expect(await push('main:other')).toContain("Branch name does not follow the pattern '^fix/'");
  await git(folder, 'tag', 'v1');
  expect(await push('v1')).toContain('[new tag]');
  expect(await push(':v1')).toContain('You cannot delete a tag');
  expect(await push(':fix/1')).toContain('[deleted]');
});

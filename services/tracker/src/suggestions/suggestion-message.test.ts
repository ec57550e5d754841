import { expect, test } from 'vitest';
import { suggestionMessage } from './suggestion-message.ts';

const applied = {
  ...{ branchName: 'topic', files: ['a.txt', 'b/c.txt'], projectName: 'Engine', projectPath: 'group/engine' },
  ...{ user: { name: 'Ada', username: 'ada' }, suggestions: 3, coAuthors: ['Bo <bo@example.org>'] },
};

test('the message tells what was applied, and with whom', () => {
  const message = 'Apply 3 suggestion(s) to 2 file(s)\n\nCo-authored-by: Bo <bo@example.org>';
  expect(suggestionMessage(null, applied)).toBe(message);
  expect(suggestionMessage(' ', applied)).toBe(message);
  expect(suggestionMessage(null, { ...applied, coAuthors: [] })).toBe('Apply 3 suggestion(s) to 2 file(s)');
});

test('each placeholder of a template is filled in, and others stay', () => {
  const template =
    '%{branch_name} %{files_count} %{file_paths} %{project_name} %{project_path} %{user_full_name} %{username} %{suggestions_count} %{co_authored_by} %{toString} %{}';
  expect(suggestionMessage(template, { ...applied, branchName: '%{username}' })).toBe(
    '%{username} 2 a.txt b/c.txt Engine group/engine Ada ada 3 Co-authored-by: Bo <bo@example.org> %{toString} %{}',
  );
});

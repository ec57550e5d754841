/** What the message of a commit that applies suggestions is made from. */
interface Applied {
  branchName: string;
  /** Paths of the changed files, each once. */
  files: readonly string[];
  projectName: string;
  /** `group/project` */
  projectPath: string;
  user: { name: string; username: string };
  suggestions: number;
  /** Others whose suggestions they are: `Ada <1-ada@users.noreply.example.org>`. */
  coAuthors: readonly string[];
}

const DEFAULT = 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)\n\n%{co_authored_by}';

/** Fills in the placeholders of a template. One that nobody knows stays as it is, and what ends up empty is cut off. */
export function suggestionMessage(template: string | null, applied: Applied): string {
  const { branchName, files, projectName, projectPath, user, suggestions, coAuthors } = applied;
  const values: Readonly<Record<string, string>> = {
    branch_name: branchName,
    files_count: String(files.length),
    file_paths: files.join(' '),
    project_name: projectName,
    project_path: projectPath,
    user_full_name: user.name,
    username: user.username,
    suggestions_count: String(suggestions),
    co_authored_by: coAuthors.map((person) => `Co-authored-by: ${person}`).join('\n'),
  };
  const given = template?.trim() ? template : DEFAULT;
  const known = (whole: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole);
  return given.replace(/%\{(\w+)\}/g, known).trim();
}

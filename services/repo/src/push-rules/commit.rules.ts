import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { linearExpression } from './linear-expression.ts';
import type { PushRules } from './push-rule.decider.ts';

/** The most characters of a message or name that an expression sees. */
const MAX_TEXT = 8192;

export interface CommitContext {
  /** Commits of the API have no signature, and their committer is who called. */
  via: 'push' | 'api';
  /** Addresses of whoever pushes, in small letters; none if they are not known. */
  pusherEmails: readonly string[];
  isUser(email: string): Promise<boolean>;
  isSigned(commit: string): Promise<boolean>;
}

/** A text of a stranger for the terminal of a pusher. */
export const readable = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, 200);

export const matches = (source: string, text: string): boolean =>
  linearExpression(source)?.test(text.slice(0, MAX_TEXT)) ?? false;

/** Returns why a commit is refused, in words that stock clients know; undefined if it is not. */
export async function commitProblem(
  rules: PushRules,
  { id, author, committer, message }: Commit,
  { via, pusherEmails, isUser, isSigned }: CommitContext,
): Promise<string | undefined> {
  const { commitMessageRegex, commitMessageNegativeRegex, authorEmailRegex } = rules;
  if (commitMessageRegex !== null && !matches(commitMessageRegex, message))
    return `Commit message does not follow the pattern '${readable(commitMessageRegex)}'`;
  if (commitMessageNegativeRegex !== null && matches(commitMessageNegativeRegex, message))
    return `Commit message contains the forbidden pattern '${readable(commitMessageNegativeRegex)}'`;
  const people = [
    ['Author', author.email],
    ['Committer', committer.email],
  ] as const;
  if (authorEmailRegex !== null)
    for (const [who, email] of people)
      if (!matches(authorEmailRegex, email))
        return `${who}'s email '${readable(email)}' does not follow the pattern '${readable(authorEmailRegex)}'`;
  if (rules.memberCheck)
    for (const [who, email] of people)
      if (!(await isUser(email))) return `${who} '${readable(email)}' is not a member of team`;
  if (via === 'api') return undefined;
  if (rules.commitCommitterCheck && !pusherEmails.includes(committer.email.toLowerCase()))
    return (
      `You cannot push commits for '${readable(committer.email)}'. ` +
      'You can only push commits that were committed with your own email address.'
    );
  if (rules.rejectUnsignedCommits && !(await isSigned(id))) return 'Commit must be signed';
  return undefined;
}

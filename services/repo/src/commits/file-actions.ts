import { Rejection } from '@forgelog/contracts/errors.ts';
import type { createCommit } from '@forgelog/contracts/repo/commits/commit.api.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import { normalizePath } from '@forgelog/git/trees/tree-path.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';

type SentAction = ApiRequest<typeof createCommit>['params']['actions'][number];

const problem = (text: string) => new Rejection('invalid_parameters', { problems: [text] });

/** Decodes text or Base64 [L202]. Accepts line breaks in Base64, since encoders insert them. @throws 400 */
export function contentBytes(content: string, encoding: 'text' | 'base64', name = 'content'): Buffer {
  if (encoding === 'text') return Buffer.from(content);
  const packed = content.replace(/[\r\n]+/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) throw problem(`${name} is invalid`);
  return Buffer.from(packed, 'base64');
}

/** Converts actions of a request to git's terms. @throws 400 naming what an action lacks */
export function fileActions(actions: readonly SentAction[]): FileAction[] {
  return actions.map(fileAction);
}

function fileAction(sent: SentAction, index: number): FileAction {
  const path = normalizePath(sent.file_path);
  const executable = sent.execute_filemode;
  const need = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw problem(`actions[${index}][${name}] is missing`);
    return value;
  };
  const bytes = (content: string) => contentBytes(content, sent.encoding, `actions[${index}][content]`);
  switch (sent.action) {
    case 'create':
      return { action: 'create', path, content: bytes(need(sent.content, 'content')), executable };
    case 'update':
      return { action: 'update', path, content: bytes(need(sent.content, 'content')), executable };
    case 'delete':
      return { action: 'delete', path };
    case 'move': {
      const previousPath = normalizePath(need(sent.previous_path, 'previous_path'));
      const content = sent.content === undefined ? undefined : bytes(sent.content);
      return { action: 'move', path, previousPath, content, executable };
    }
    case 'chmod':
      return { action: 'chmod', path, executable: need(executable, 'execute_filemode') };
    default:
      return sent.action satisfies never;
  }
}

export function lastKnownCommits(actions: readonly SentAction[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const { action, file_path, previous_path, last_commit_id } of actions) {
    if (!last_commit_id || action === 'create') continue;
    const path = action === 'move' ? (previous_path ?? file_path) : file_path;
    known.set(normalizePath(path), last_commit_id.toLowerCase());
  }
  return known;
}

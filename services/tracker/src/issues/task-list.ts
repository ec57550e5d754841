/** How many tasks a Markdown text lists, and how many of them are ticked [L66]. */
export interface TaskCounts {
  count: number;
  completed: number;
}

/** `- [ ] text`, `1. [x] text`, in quotes and nested lists too. */
const ITEM = /^(?:>\s{0,4})*(?:\s*(?:[-+*]|\d{1,9}\.))+\s+\[([\sxX])\]\s+\S/;
const FENCE = /^\s*(`{3,}|~{3,})/;

export function countTasks(markdown: string | null): TaskCounts {
  const counts = { count: 0, completed: 0 };
  if (markdown === null || !markdown.includes('[')) return counts;
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    // Inside a code block nothing is a task; it ends at a fence of its own kind, not shorter than its first.
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    const item = ITEM.exec(line);
    if (!item) continue;
    counts.count += 1;
    if (item[1]!.trim() !== '') counts.completed += 1;
  }
  return counts;
}

/** `1 of 3 tasks completed`; nothing is said of a text that is not there. */
export function taskStatus(markdown: string | null, count: number, completed: number): string {
  if (markdown === null || markdown.trim() === '') return '';
  return `${completed} of ${count} ${count === 1 ? 'task' : 'tasks'} completed`;
}

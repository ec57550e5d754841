import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { lineOf } from '../../notifications/mail-text.ts';
import { spoken } from '../chat/chat-message.ts';
import type { HookBody } from '../courier.ts';
import { type Letter, MOST_NAME, MOST_SUBJECT, nameIn, projectIn } from './letter.ts';

const MOST_JOBS = 50;
const SHORT = 8;

/** A letter on a pipeline that passed or failed; undefined for anything else. */
export function pipelineLetter(body: HookBody): Letter | undefined {
  if (body.object_kind !== 'pipeline') return undefined;
  const { id, ref, tag, sha, status, duration, url } = body.object_attributes;
  if (status !== 'success' && status !== 'failed') return undefined;
  const project = projectIn(body);
  const isFailed = status === 'failed';
  const who = nameIn(body.user?.name);
  const took = typeof duration === 'number' ? ` in ${spoken(duration)}` : '';
  const what = `${tag ? 'tag' : 'branch'} ${lineOf(String(ref), MOST_SUBJECT)}`;
  const said = `Pipeline #${id} of ${what} of ${project.path} by ${who} has ${isFailed ? 'failed' : 'passed'}${took}.`;
  const commit = body.commit
    ? `Commit ${String(sha).slice(0, SHORT)} by ${nameIn(body.commit.author.name)}: ${lineOf(body.commit.title, MOST_SUBJECT)}`
    : `Commit ${String(sha).slice(0, SHORT)}`;
  const failed = (body.builds as HookBody[]).filter((job) => job.status === 'failed' && !job.allow_failure);
  const jobs = failed
    .slice(0, MOST_JOBS)
    .map((job) => `${lineOf(job.name, MOST_NAME)} (stage ${lineOf(job.stage, MOST_NAME)})`);
  const more = failed.length > MOST_JOBS ? [`and ${failed.length - MOST_JOBS} more`] : [];
  const list = isFailed ? [...jobs, ...more] : [];
  return {
    ...{ part: 'pipeline', fromName: who, project },
    subject: lineOf(
      `${project.name} | ${isFailed ? 'Failed' : 'Successful'} pipeline for ${ref} | ${String(sha).slice(0, SHORT)}`,
      MOST_SUBJECT,
    ),
    text: [
      said,
      commit,
      ...(list.length > 0 ? [`Jobs that failed:\n\n${list.map((job) => `- ${job}`).join('\n')}`] : []),
      `Read it: ${url}`,
    ].join('\n\n'),
    html: [
      `<p><strong>${escapeHtml(said)}</strong></p>`,
      `<p>${escapeHtml(commit)}</p>`,
      ...(list.length > 0
        ? [`<p>Jobs that failed:</p>\n<ul>${list.map((job) => `<li>${escapeHtml(job)}</li>`).join('')}</ul>`]
        : []),
      `<p><a href="${escapeHtml(url)}">Read it</a></p>`,
    ].join('\n'),
  };
}

import { type Access, group, project } from '../../endpoint.ts';
import { datetime, described, int, required, text } from '../../params.ts';
import type { DiscussedContract } from '../targets/target.ts';

// A caller who sees a target may read its notes, and write some once signed in; the rest depends on the target.
export const reading = (about: DiscussedContract) => asked(about, about.signedIn);
export const writing = (about: DiscussedContract) => asked(about, true);

function asked({ feature, tier }: DiscussedContract, signedIn: boolean) {
  const access: Access =
    feature === null ? group('anyone', { signedIn }) : project('anyone', { feature, signedIn });
  return { service: 'tracker', access, ...(tier && { tier }) } as const;
}

export const says = { pattern: '\\S', examples: ['Since when?'] };
export const SAYS = 'What the note says, in Markdown';
export const noteId = described(required(int()), 'Id of the note');

/** A new note. `created_at` is ignored unless the caller is an administrator or owner [L350]. */
export const newNote = {
  body: described(required(text()), SAYS, says),
  created_at: described(datetime(), 'Time of the note instead of now, for administrators and owners'),
};

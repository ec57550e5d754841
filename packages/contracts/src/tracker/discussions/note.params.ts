import { project } from '../../endpoint.ts';
import { datetime, described, int, required, text } from '../../params.ts';
import type { TargetContract } from '../targets/target.ts';

// Whoever sees a target reads what is said about it, and may comment once signed in; the rest depends on the target.
export const reading = ({ feature }: TargetContract) =>
  ({ service: 'tracker', access: project('anyone', { feature }) }) as const;
export const writing = ({ feature }: TargetContract) =>
  ({ service: 'tracker', access: project('anyone', { feature, signedIn: true }) }) as const;

export const says = { pattern: '\\S', examples: ['Since when?'] };
export const SAYS = 'What the note says, in Markdown';
export const noteId = described(required(int()), 'Id of the note');

/** A note to be written. The time is honoured for administrators and owners only, else ignored [L350]. */
export const newNote = {
  body: described(required(text()), SAYS, says),
  created_at: described(datetime(), 'Time of the note instead of now, for administrators and owners'),
};

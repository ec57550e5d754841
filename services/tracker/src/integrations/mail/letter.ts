import { lineOf } from '../../notifications/mail-text.ts';
import type { HookBody } from '../courier.ts';

/** What there is to say of an event to whoever is to read it. */
export interface Letter {
  /** Tells the letters of one event apart. */
  part: string;
  fromName: string;
  subject: string;
  text: string;
  html: string;
  project: { id: number; name: string; path: string };
}

export const [MOST_SUBJECT, MOST_NAME] = [250, 100];

export const projectIn = ({ project }: HookBody): Letter['project'] => ({
  ...{ id: project.id, name: project.name, path: project.path_with_namespace },
});

export const nameIn = (name: unknown): string => lineOf(String(name ?? ''), MOST_NAME) || 'Somebody';

export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

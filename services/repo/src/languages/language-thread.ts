import { parseFileSizes } from '@forgelog/git/trees/file-sizes.ts';
import * as languages from 'linguist-languages';
import { createLanguageCounter, type LanguageFacts, sharesOf } from './languages-of-files.ts';

const count = createLanguageCounter(Object.values(languages) as readonly LanguageFacts[]);

/** Runs in a thread of its own: the data take a moment to load, and a listing may have 300,000 files. */
export default (listing: Uint8Array): Record<string, number> => sharesOf(count(parseFileSizes(listing)));

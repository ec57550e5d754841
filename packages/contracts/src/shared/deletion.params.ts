import { bool, described, fallback, text } from '../params.ts';

/** Parameters of the deletion of a project or group. */
export const deletionParams = {
  permanently_remove: described(
    fallback(bool(), false),
    'Deletes at once what is marked for deletion already; needs `full_path`',
  ),
  full_path: described(text({ max: 1000 }), 'Full path of what is deleted at once, to confirm it'),
};

import { bool, described, fallback, idOrPath, int, oneOf, oneOfInts, required, textHash } from '../params.ts';

/* Parameters that many endpoints share. */

export const projectId = described(idOrPath(), 'Id or URL-encoded full path of the project');
export const groupId = described(idOrPath(), 'Id or URL-encoded full path of the group');
export const userId = described(required(int()), 'Id of the user');
export const issueIid = described(required(int()), 'Number of the issue in its project');

const direction = oneOf('asc', 'desc');
export const ascending = described(fallback(direction, 'asc'), 'Ascending or descending order');
export const descending = described(fallback(direction, 'desc'), 'Ascending or descending order');

export const visibility = oneOf('private', 'internal', 'public');
export const minAccessLevel = described(
  oneOfInts(10, 20, 30, 40, 50),
  'Only where the caller has at least this access level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner',
);

export const customAttributes = described(
  textHash(),
  'Only with all of these custom attributes, for administrators: `custom_attributes[key]=value`',
);
export const withCustomAttributes = described(bool(), 'Adds `custom_attributes`, for administrators');

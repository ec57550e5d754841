/** Numbers of issues and pipelines within a project go up to this one. */
export const LARGEST_IID = 9_999_999;

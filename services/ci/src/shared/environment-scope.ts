/** Names of environments in which `*` stands for any text. */
export const ENVIRONMENT_SCOPE = /^[a-zA-Z0-9_/${}. *-]+$/;
export const ENVIRONMENT_SCOPE_RULE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces";

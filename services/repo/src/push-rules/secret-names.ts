/** Names of files that hold keys, passwords or what was typed into a shell. */
const SECRETS: readonly RegExp[] = [
  /(^|\/)id_(rsa|dsa|ed25519|ecdsa)$/,
  /(^|\/)\.?(ssh|config)\/(personal|server)_(rsa|dsa|ed\d+|ecdsa)$/,
  /(^|\/)\.?aws\/credentials$/,
  /\.(pem|key)$/,
  /[._]history$/,
];

export const isNamedLikeSecret = (path: string): boolean => SECRETS.some((pattern) => pattern.test(path));

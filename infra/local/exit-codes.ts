/** `npm run test:real` exits with it if the servers are not available, so no test ran. */
export const NO_SERVERS = 75;

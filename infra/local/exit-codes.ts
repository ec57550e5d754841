/** Of `npm run test:real`, where no test ran because the servers are not to be had on this machine. */
export const NO_SERVERS = 75;

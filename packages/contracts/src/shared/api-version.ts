/** The emulated release of the API family. Clients split it on dots and compare the numbers. */
export const API_VERSION = '14.3.0';

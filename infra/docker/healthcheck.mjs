// Whether the service in this container is ready: `node infra/docker/healthcheck.mjs [port]`, ends with 0 or 1. The
// image has no curl, and needs none.
const port = process.argv[2] ?? process.env.PORT ?? '8080';
const ready = await fetch(`http://127.0.0.1:${port}/-/readiness`, { signal: AbortSignal.timeout(2500) }).then(
  (response) => response.ok,
  () => false,
);
process.exit(ready ? 0 : 1);

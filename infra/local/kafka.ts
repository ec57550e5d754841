import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { freePorts } from './free-ports.ts';
import { folder, logOf, portIn, type Running, running, startServer, stopServer } from './server-process.ts';

/** Any 16 bytes in base64url that stay the same for the data. */
const CLUSTER_ID = 'Zm9yZ2Vsb2ctbG9jYWwtMQ';
const LOGGING = `
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
`;

const READY_WITHIN_MS = 120_000;

export interface RunningKafka extends Running {
  /**
   * Ports for a test proxy: clients that connect at `behind` are told that the broker is at `told`, where the proxy
   * listens.
   */
  proxied: { told: number; behind: number };
}

/** A single Kafka node (KRaft, broker and controller), from Maven artifacts. */
export async function startKafka(home: string, signal?: AbortSignal): Promise<RunningKafka> {
  const files = join(home, 'kafka');
  const properties = join(files, 'server.properties');
  const already = running(home, 'kafka');
  if (already) {
    const proxied = proxiedIn(properties);
    if (proxied) return { ...already, proxied };
    // It was started before this listener existed.
    await stopServer(home, 'kafka');
  }
  const cwd = join(folder, 'kafka');
  const pom = join(cwd, 'pom.xml');
  const jars = await buildOnce({
    name: 'kafka',
    sources: [pom],
    fetch: (into) => ({
      command: 'mvn',
      args: ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${into}`],
      // Maven creates a target folder in its working directory.
      cwd,
    }),
    signal,
  });
  mkdirSync(files, { recursive: true });
  const logging = join(files, 'log4j.properties');
  writeFileSync(logging, LOGGING);
  const java = (main: string, ...args: string[]) => [
    '-Xmx512m',
    '-XX:+UseSerialGC',
    `-Dlog4j.configuration=file:${logging}`,
    '-cp',
    join(jars, '*'),
    main,
    ...args,
  ];
  for (let attempt = 1; ; attempt++) {
    const [port, controller, told, behind] = (await freePorts(4)) as [number, number, number, number];
    const proxied = { told, behind };
    writeFileSync(properties, nodeProperties(port, controller, proxied, join(files, 'log')));
    if (!existsSync(join(files, 'log', 'meta.properties'))) format(java, properties);
    try {
      const started = await startServer({
        home,
        name: 'kafka',
        command: 'java',
        args: java('kafka.Kafka', properties),
        readyAt: (log) => (log.includes('Kafka Server started') ? port : undefined),
        readyTimeoutMs: READY_WITHIN_MS,
      });
      return { ...started, proxied };
    } catch (error) {
      // Kafka needs fixed ports, and another process may have taken one meanwhile.
      const taken = readFileSync(logOf(home, 'kafka'), 'utf8').includes('Address already in use');
      if (!taken || attempt === 3) throw error;
    }
  }
}

function format(java: (main: string, ...args: string[]) => string[], properties: string): void {
  const args = java('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties);
  const { status, stderr, stdout } = spawnSync('java', args, { encoding: 'utf8', timeout: READY_WITHIN_MS });
  if (status !== 0) throw new Error(`Kafka's storage could not be formatted:\n${stdout}${stderr}`);
}

function proxiedIn(properties: string): RunningKafka['proxied'] | undefined {
  const text = readFileSync(properties, 'utf8');
  const told = portIn(text, /^advertised\.listeners=.*PROXIED:\/\/127\.0\.0\.1:(\d+)/m);
  const behind = portIn(text, /^listeners=.*PROXIED:\/\/127\.0\.0\.1:(\d+)/m);
  return told && behind ? { told, behind } : undefined;
}

function nodeProperties(
  port: number,
  controllerPort: number,
  { told, behind }: RunningKafka['proxied'],
  logs: string,
): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},PROXIED://127.0.0.1:${behind},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},PROXIED://127.0.0.1:${told}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${logs}
auto.create.topics.enable=false
default.replication.factor=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`;
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { folder, freePort, type Running, running, startServer, stateFolder } from './server-process.ts';

/** Any 16 bytes in base64url; it only has to stay the same for the data. */
const CLUSTER_ID = 'Zm9yZ2Vsb2ctbG9jYWwtMQ';
const LOGGING = `
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
`;

/** A single Kafka node, broker and controller in one (KRaft), from Kafka's Maven artifacts. */
export async function startKafka(): Promise<Running> {
  const already = running('kafka');
  if (already) return already;
  const pom = join(folder, 'kafka', 'pom.xml');
  const jars = buildOnce({
    name: 'kafka',
    sources: [pom],
    command: 'mvn',
    args: (into) => ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${into}`],
    // Maven makes a target folder where it works.
    cwd: join(folder, 'kafka'),
  });
  const files = join(stateFolder, 'kafka');
  mkdirSync(files, { recursive: true });
  const port = await freePort();
  const properties = join(files, 'server.properties');
  writeFileSync(properties, nodeProperties(port, await freePort(), join(files, 'log')));
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
  if (!existsSync(join(files, 'log', 'meta.properties'))) format(java, properties);
  return startServer({
    name: 'kafka',
    port,
    command: 'java',
    args: java('kafka.Kafka', properties),
    ready: (log) => log.includes('Kafka Server started'),
    patienceMs: 60_000,
  });
}

function format(java: (main: string, ...args: string[]) => string[], properties: string): void {
  const args = java('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties);
  const { status, stderr, stdout } = spawnSync('java', args, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`Kafka's storage could not be formatted:\n${stdout}${stderr}`);
}

function nodeProperties(port: number, controllerPort: number, logs: string): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
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

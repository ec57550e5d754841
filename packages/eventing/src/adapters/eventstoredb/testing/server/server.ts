import { createServer, type Socket } from 'node:net';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import { createFaults, type Faults } from './faults.ts';
import { openLog } from './log.ts';
import { readGossip, supportedMethods } from './members.ts';
import { rpcErrors } from './rpc-errors.ts';
import { append } from './streams-append.ts';
import { batchAppend } from './streams-batch-append.ts';
import { read } from './streams-read.ts';

export interface EventStoreServerOptions {
  /** The log's file, created if missing. */
  path: string;
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  maxAppendSize?: number;
  firstPosition?: bigint;
}

export interface EventStoreServer {
  url: string;
  host: string;
  port: number;
  faults: Faults;
  /** Breaks all connections, like a network failure. */
  dropConnections(): void;
  /** Ends all calls, then closes the log. */
  stop(): Promise<void>;
}

const MAX_APPEND_SIZE = 1024 * 1024;
const MAX_MESSAGE_SIZE = 17 * 1024 * 1024;

/**
 * A development server for the part of EventStoreDB's protocol that writes, reads and follows streams. It has no users
 * and no TLS. Tests can inject faults.
 */
export async function startEventStoreServer(options: EventStoreServerOptions): Promise<EventStoreServer> {
  const { host = '127.0.0.1' } = options;
  const log = await openLog(options);
  const faults = createFaults();
  const sockets = new Map<string, Socket>();
  const wire = {
    log,
    faults,
    maxAppendSize: options.maxAppendSize ?? MAX_APPEND_SIZE,
    drop: (peer: string) => void sockets.get(peer)?.destroy(),
  };
  const grpc = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_SIZE });
  const unknown: handleUnaryCall<unknown, never> = (call, callback) =>
    callback(rpcErrors.unimplemented(call.getPath()));
  grpc.addService(services.StreamsService, {
    read: read(wire),
    append: append(wire),
    batchAppend: batchAppend(wire),
    delete: unknown,
    tombstone: unknown,
  });
  grpc.addService(gossip.GossipService, { read: readGossip(wire, () => ({ host, port })) });
  grpc.addService(features.ServerFeaturesService, { getSupportedMethods: supportedMethods });

  // Inject connections, so that single ones can be broken.
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer({ noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(peer, socket);
    socket.on('close', () => sockets.delete(peer));
    socket.on('error', () => {});
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(options.port ?? 0, host, resolve);
  }).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const dropConnections = () => {
    for (const socket of sockets.values()) socket.destroy();
  };
  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
    grpc.forceShutdown();
    injector.destroy();
    dropConnections();
    await closed;
    await log.close();
  }
  return {
    url: `esdb://${host}:${port}?tls=false`,
    host,
    port,
    faults,
    dropConnections,
    stop: () => (stopping ??= stop()),
  };
}

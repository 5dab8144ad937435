import type { Server as TlsServer } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";
import { startTracing } from "@beatmarket/foundation/tracing/start-tracing.ts";
import { tlsOptions } from "@beatmarket/http/tls/options.ts";
import { serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";
import type { FromThread, ThreadData, ToThread } from "../app/threads/http-threads.ts";
import { openThread } from "../app/threads/thread-handler.ts";
import { readConfig } from "../config.ts";
import { connect } from "../database/connect.ts";
import { createLogger } from "./terminal/output.ts";

// The entry point of a thread that answers HTTP (app/threads/http-threads.ts).

/**
 * The maximum number of connections in a thread's pool. Most statements of a thread run on the reader connection
 * instead.
 */
const poolSize = 4;

const data = workerData as ThreadData;
const config = readConfig(process.env);
const logger = createLogger(config);
const post = (message: FromThread, transfer: [] = []) => parentPort?.postMessage(message, transfer);
const stopTracing = await startTracing(config.tracing, logger);
const database = connect(data.address, { applicationName: "beatmarket serve", ...serviceTimeouts, max: poolSize });
const thread = await openThread({ ...data, config, database, logger, askForRoom: (room) => post({ room }) });

parentPort?.on("message", (message: ToThread) => {
  if (message === "close") void close();
  else if (message === "retire") thread.retire();
  else if ("indexPort" in message) thread.index.use(message.indexPort);
  else if ("certificate" in message) (thread.server as TlsServer).setSecureContext(tlsOptions(message.certificate));
  else if ("room" in message) thread.connections.makeRoomFor(message.room.standing, message.room.network);
  else void sendMetrics(message.metricsFor);
});
await thread.listen();
post("listening");

async function sendMetrics(metricsFor: number): Promise<void> {
  post({ metricsFor, metrics: await thread.metrics.getMetricsAsJSON() });
}

async function close(): Promise<void> {
  await thread.close();
  await database.close();
  await stopTracing();
  process.exit();
}

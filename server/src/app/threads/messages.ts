import type { MessagePort } from "node:worker_threads";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { ThreadMemory } from "../thread-memory.ts";

// The messages between the main thread and the threads that answer HTTP.

/** What a thread starts with. */
export interface ThreadData {
  index: number;
  memory: ThreadMemory;
  address: DatabaseAddress;
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  /** The socket of the main thread. */
  socketPath: string;
  port: number;
  publicUrl: string;
  /** The folder of the built web app. */
  portalFolder: string;
}

/** A connection to close, for one that another thread accepts. */
export interface Room {
  standing: "stranger" | "known";
  network: string | null;
}

export type ToThread =
  | { indexPort: MessagePort }
  | { certificate: Certificate }
  | { room: Room }
  | { metricsFor: number }
  | "retire"
  | "close";

export type FromThread = "listening" | { room: Room } | { metricsFor: number; metrics: object[] };

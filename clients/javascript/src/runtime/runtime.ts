import { BeatMarketError } from "../errors.ts";
import type { fileSystem } from "./node.ts";
import { type Authorities, fetchTransport, type Transport } from "./transport.ts";

/** The parts that differ between runtimes. */
export interface Runtime {
  /** The transport of a client without its own `fetch` option. */
  transport(authorities: Authorities): Transport;
  /** The functions for reading and writing files. Rejects if the runtime has no files. */
  fileSystem: typeof fileSystem;
}

/** Looks `fetch` up for each call, so that a later replacement of the global is used. */
const ofRuntime = fetchTransport((input, init) => globalThis.fetch(input, init));

/**
 * The runtime of browsers and workers, unless the package's entry point is node.ts. Imports nothing of Node, so that
 * bundlers include none of it.
 */
export const runtime: Runtime = {
  transport: ({ ca, caFile }) => {
    if (ca === undefined && caFile === undefined) return ofRuntime;
    throw new BeatMarketError(
      "caFile, and ca without fetch, work on Node only. On other runtimes set DENO_CERT, or NODE_EXTRA_CA_CERTS on Bun, or pass your own fetch.",
    );
  },
  fileSystem: async () => {
    throw new BeatMarketError("Files are read and written on Node, Deno and Bun only: pass a Blob or bytes instead.");
  },
};

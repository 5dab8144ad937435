import { BeatMarketError } from "../errors.ts";
import type { fileSystem } from "./node.ts";
import { fetchTransport, type Transport } from "./transport.ts";

/** What differs between runtimes. */
export interface Runtime {
  /** The transport of a client without a `fetch` of its own. */
  transport(caFile: string | undefined): Transport;
  /** What files are read and written with. Rejects where there are none. */
  fileSystem: typeof fileSystem;
}

/** Looks `fetch` up for each call, so that a later replacement of the global is used. */
const ofRuntime = fetchTransport((input, init) => globalThis.fetch(input, init));

/** That of browsers and workers, unless the entry of the package is node.ts. Imports nothing of Node, so bundlers find nothing of it. */
export const runtime: Runtime = {
  transport: (caFile) => {
    if (caFile === undefined) return ofRuntime;
    throw new BeatMarketError(
      "caFile works on Node only. On other runtimes set DENO_CERT, or NODE_EXTRA_CA_CERTS on Bun, or pass your own fetch.",
    );
  },
  fileSystem: async () => {
    throw new BeatMarketError("Files are read and written on Node, Deno and Bun only: pass a Blob or bytes instead.");
  },
};

import { BeatMarket } from "../../javascript/src/client.ts";
import type { ResponseInfo } from "../../javascript/src/response.ts";
import { fileSystem, nodeTransport } from "../../javascript/src/runtime/node.ts";
import { runtime } from "../../javascript/src/runtime/runtime.ts";
import type { Transport } from "../../javascript/src/runtime/transport.ts";
import { Sender } from "../../javascript/src/sender.ts";
import { settingsOf } from "../../javascript/src/settings.ts";
import { clientOptions, type GlobalOptions } from "./connection.ts";
import { version } from "./version.ts";

type Environment = Readonly<Record<string, string | undefined>>;

// The JavaScript client's entry point for Node does the same. Bundlers drop that module, because nothing is imported from it.
Object.assign(runtime, { fileSystem, transport: nodeTransport });

const userAgent = `beatmarket-cli/${version} node/${process.versions.node}`;

export interface Answer {
  /** The body, byte for byte. */
  text: string;
  body: unknown;
  response: ResponseInfo;
}

export interface Request {
  method: string;
  url: URL;
  body?: unknown;
  headers?: Record<string, string>;
  /** The additional time limit, for requests during which the service waits. */
  extraMs?: number;
}

/** The client of a command: the JavaScript client with its own User-Agent. It also returns the text of responses. */
export class Api {
  readonly sender: Sender;
  #text = "";

  constructor(options: GlobalOptions, environment: Environment) {
    const settings = settingsOf(clientOptions(options, environment));
    const transport = storeTexts(settings.transport, (text) => (this.#text = text));
    this.sender = new Sender({ ...settings, userAgent, transport });
  }

  /** One call, with the retries and errors of the client. */
  async send(request: Request): Promise<Answer> {
    this.#text = "";
    const { body, response } = await this.sender.send(request);
    return { text: this.#text, body, response };
  }
}

/** The JavaScript client, for commands that send more than one request. */
export const clientOf = (options: GlobalOptions, environment: Environment): BeatMarket =>
  new BeatMarket(clientOptions(options, environment));

/** A transport that stores the text of responses. */
const storeTexts =
  (transport: Transport, keep: (text: string) => void): Transport =>
  async (request) => {
    const response = await transport(request);
    const text = async () => {
      const read = await response.text();
      keep(read);
      return read;
    };
    return { ...response, text };
  };

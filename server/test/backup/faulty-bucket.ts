import { once } from "node:events";
import { rename } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type S3Server, startS3Server } from "@beatmarket/storage/testing/s3-server.ts";

const denied =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Denied</Message></Error>';

/** A bucket of a real S3 server, with a proxy in front that can cause the usual failures of buckets. */
export class FaultyBucket {
  readonly #s3: S3Server;
  readonly #server = createServer();
  #isDenied = false;
  #port = 0;

  private constructor(s3: S3Server) {
    this.#s3 = s3;
  }

  static async open(): Promise<FaultyBucket> {
    const bucket = new FaultyBucket(await startS3Server());
    await bucket.#listen();
    return bucket;
  }

  async close(): Promise<void> {
    await this.refuse();
    await this.#s3.close();
  }

  /** The environment of a service that uses this bucket as its vault. */
  get env(): Record<string, string> {
    const vault = this.#s3.storageUrl("vault").replace(this.#s3.endpoint, `http://127.0.0.1:${this.#port}`);
    return { BACKUP_VAULT: vault, ...this.#s3.credentials };
  }

  /** Answers every request with 403. */
  deny(): void {
    this.#isDenied = true;
  }

  /** Stops listening at the endpoint. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Deletes the bucket, whose address then answers 404. */
  remove(): Promise<void> {
    return rename(this.#s3.folder, `${this.#s3.folder}.away`);
  }

  /** Ends `deny`. */
  allow(): void {
    this.#isDenied = false;
  }

  /** Ends `refuse`. */
  accept(): Promise<void> {
    return this.#listen();
  }

  /** Ends `remove`, and restores the bucket's content. */
  putBack(): Promise<void> {
    return rename(`${this.#s3.folder}.away`, this.#s3.folder);
  }

  async #listen(): Promise<void> {
    this.#server.removeAllListeners("request");
    this.#server.on("request", (incoming, response) => {
      if (this.#isDenied) {
        incoming.resume();
        response.writeHead(403, { "content-type": "application/xml" }).end(denied);
        return;
      }
      const { method, url, headers } = incoming;
      const outgoing = request(`${this.#s3.endpoint}${url}`, { method, headers, agent: false }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      outgoing.on("error", () => response.destroy());
      incoming.on("close", () => {
        if (!incoming.complete) outgoing.destroy();
      });
      incoming.pipe(outgoing);
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}

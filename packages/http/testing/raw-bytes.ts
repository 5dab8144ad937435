import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

export interface RawResponse {
  status: number;
  /** Status line and headers. */
  head: string;
  body: string;
}

/** A server on 127.0.0.1, with the CA certificate that verifies its certificate. */
export interface Target {
  port: number;
  ca: string;
}

const responseTimeoutMs = 20_000;
const maxResponseBytes = 4_000_000;

/** If the server is silent for this time, it waits for the rest of an incomplete request. */
const silenceMs = 150;

/**
 * Sends raw bytes over a new TLS connection, ends the sending side at the first response or after `silenceMs`, and
 * returns all responses received until the server ends its side. Rejects if the server leaves the connection open.
 */
export async function sendBytes(target: Target, bytes: string): Promise<RawResponse[]> {
  return responsesIn(await exchange(target, bytes, silenceMs));
}

/** Like `sendBytes`, but ends the sending side only after the response. Throws if there is no response. */
export async function ask(target: Target, bytes: string): Promise<RawResponse> {
  const [response] = responsesIn(await exchange(target, bytes, responseTimeoutMs));
  if (response === undefined) throw new Error("The connection was closed without a response.");
  return response;
}

function exchange({ port, ca }: Target, bytes: string, endAfterMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const options: ConnectionOptions & { allowHalfOpen: true } = {
      port,
      host: "127.0.0.1",
      servername: "localhost",
      ca,
      allowHalfOpen: true,
    };
    let end: NodeJS.Timeout | undefined;
    const socket: TLSSocket = connect(options, () => {
      socket.write(Buffer.from(bytes, "latin1"));
      // Node's server drops unanswered requests when the client ends the connection.
      end = setTimeout(() => socket.end(), endAfterMs);
    });
    const giveUp = setTimeout(() => socket.destroy(new Error("The connection stayed open.")), responseTimeoutMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      socket.end();
      if (received > maxResponseBytes) socket.destroy(new Error("The response has no end."));
    });
    // If the server closes with unread bytes, the connection is reset. The responses received until then are kept.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearTimeout(end);
      clearTimeout(giveUp);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Splits a stream into its responses; a response to HEAD must be the last. */
function responsesIn(stream: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = stream;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.toString("latin1", 0, Math.max(end, 0));
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (Number.isNaN(status)) throw new Error(`No response: ${rest.toString("latin1", 0, 200)}`);
    const body = rest.subarray(end + 4);
    // Node's own refusals are chunked without content.
    const isEmptyChunked = /^transfer-encoding: chunked/im.test(head) && body.toString("latin1") === "0\r\n\r\n";
    const length = status === 304 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    responses.push({ status, head, body: isEmptyChunked ? "" : body.toString("utf8", 0, length) });
    rest = isEmptyChunked ? body.subarray(5) : body.subarray(length);
  }
  return responses;
}

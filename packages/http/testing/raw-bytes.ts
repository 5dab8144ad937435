import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

/** One of the responses that came over a connection. */
export interface RawResponse {
  status: number;
  /** Status line and headers. */
  head: string;
  body: string;
}

/** Where bytes are sent: a port of 127.0.0.1 and the certificate of the authority that its own was made by. */
export interface Target {
  port: number;
  ca: string;
}

const responseTimeoutMs = 20_000;
const maxResponseBytes = 4_000_000;

/** Past this an unanswered request is taken for one that the server would still wait for the rest of. */
const silenceMs = 150;

/**
 * Sends bytes as they are over a TLS connection of their own, ends our side, and gives all responses that came until the
 * server ended its. Rejects when it does not, which would be a connection held for nothing.
 */
export async function sendBytes(target: Target, bytes: string): Promise<RawResponse[]> {
  return responsesIn(await exchange(target, bytes, silenceMs));
}

/** The same for a request that will be answered, however long that takes. */
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
      // Node's server drops what it has not answered yet when its client ends.
      end = setTimeout(() => socket.end(), endAfterMs);
    });
    const giveUp = setTimeout(() => socket.destroy(new Error("The connection stayed open.")), responseTimeoutMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      socket.end();
      if (received > maxResponseBytes) socket.destroy(new Error("The response has no end."));
    });
    // Closing on what is not read yet resets the connection; what came before counts.
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

/** The responses that a stream consists of; a response to HEAD can only be the last. */
function responsesIn(stream: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = stream;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.toString("latin1", 0, Math.max(end, 0));
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (Number.isNaN(status)) throw new Error(`No response: ${rest.toString("latin1", 0, 200)}`);
    const body = rest.subarray(end + 4);
    // Node's own refusals are chunks without content.
    const isEmptyChunked = /^transfer-encoding: chunked/im.test(head) && body.toString("latin1") === "0\r\n\r\n";
    const length = status === 304 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    responses.push({ status, head, body: isEmptyChunked ? "" : body.toString("utf8", 0, length) });
    rest = isEmptyChunked ? body.subarray(5) : body.subarray(length);
  }
  return responses;
}

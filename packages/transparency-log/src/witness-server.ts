import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Checkpoint, openCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import { type NoteSigner, type NoteVerifier, verifierKey } from "./note.ts";
import { checkSubmission } from "./witness.ts";

/** Enough for 63 lines of a proof and a checkpoint with many signatures. */
const maxBodyBytes = 32_768;
const requestTimeoutMs = 10_000;

/** The last checkpoint of a log that a witness or an auditor has checked. */
export interface StoredCheckpoint {
  /** The verifier key of the log. */
  key: string;
  /** The signed checkpoint. */
  checkpoint: string;
}

export interface WitnessServerParts {
  log: NoteVerifier;
  signer: NoteSigner;
  port: number;
  host: string;
  readCheckpoint(): Promise<StoredCheckpoint | null>;
  keep(next: StoredCheckpoint): Promise<void>;
}

/** Serves `POST /add-checkpoint` (C2SP tlog-witness) over HTTP, for a proxy that terminates TLS. */
export async function listenAsWitness(
  parts: WitnessServerParts,
): Promise<{ port: number; ended: Promise<unknown>; close(): void }> {
  let last: Promise<unknown> = Promise.resolve();
  /** Answers one submission at a time, so that no other comes between the check and the record of a checkpoint. */
  const answerInTurn = (body: string): Promise<Answer> => {
    const answer = last.then(() => answerTo(parts, body));
    last = answer.catch(() => {});
    return answer;
  };
  const answerOf = async (request: IncomingMessage): Promise<Answer> => {
    const isSubmission = request.method === "POST" && request.url === "/add-checkpoint";
    if (!isSubmission) return plainResponse(404, "A witness answers POST /add-checkpoint.");
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return plainResponse(413, "The submission is too long.");
    return answerInTurn(body).catch(() => plainResponse(500, "The checkpoint cannot be kept at the moment."));
  };
  const server = createServer({ requestTimeout: requestTimeoutMs }, async (request, response) => {
    const answer = await answerOf(request);
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  });
  server.listen(parts.port, parts.host);
  const closeEvent = once(server, "close");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, ended: closeEvent, close: () => void server.close() };
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

const plainResponse = (status: number, text: string): Answer => ({
  status,
  type: "text/plain; charset=utf-8",
  body: `${text}\n`,
});

/** Checks a submission, stores the checkpoint, and then cosigns it. */
async function answerTo({ log, signer, readCheckpoint, keep }: WitnessServerParts, body: string): Promise<Answer> {
  const stored = await readCheckpoint();
  const before: Checkpoint | null = stored && openCheckpoint(stored.checkpoint, log);
  if (stored !== null && before === null) return plainResponse(500, "The checkpoint that is kept is not of this log.");
  const checked = checkSubmission(body, log, before);
  if ("status" in checked) return checked;
  if (checked.checkpoint.size !== before?.size) await keep({ key: verifierKey(log), checkpoint: checked.note });
  return { status: 200, type: "text/plain; charset=utf-8", body: cosign(checked.note, signer, new Date()) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

import { type Checkpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { cosignedAt } from "./cosignature.ts";
import { hashBytes } from "./hashing.ts";
import { type NoteVerifier, noteText } from "./note.ts";
import { isConsistent } from "./verify.ts";

// C2SP tlog-witness: a log sends each checkpoint to witnesses and gets cosignatures. A proof shows that the checkpoint
// continues from the last checkpoint that the witness cosigned.

const maxProofLines = 63;

interface Submission {
  /** The size of the last checkpoint that the witness cosigned, as the log assumes. */
  before: number;
  proof: readonly Buffer[];
  /** The signed checkpoint. */
  note: string;
}

export const submissionText = ({ before, proof, note }: Submission): string =>
  [`old ${before}`, ...proof.map((hash) => hash.toString("base64")), "", note].join("\n");

/** Returns null for a text that is not a submission. */
function parseSubmission(body: string): Submission | null {
  const end = body.indexOf("\n\n");
  const [, oldSize, lines = ""] = /^old (0|[1-9]\d{0,15})((?:\n[A-Za-z0-9+/]{43}=)*)$/.exec(body.slice(0, end)) ?? [];
  const proof = lines.split("\n").slice(1);
  if (end === -1 || oldSize === undefined || proof.length > maxProofLines) return null;
  return {
    before: Number(oldSize),
    proof: proof.map((line) => Buffer.from(line, "base64").subarray(0, hashBytes)),
    note: body.slice(end + 2),
  };
}

/** The HTTP response of a refusal. */
export interface Refusal {
  status: 400 | 403 | 404 | 409 | 422;
  type: string;
  body: string;
}

/**
 * Checks a submission against the last checkpoint that the witness cosigned (null: none). Returns the checkpoint, which
 * the witness must store before it cosigns it, or the refusal.
 */
export function checkSubmission(
  body: string,
  log: NoteVerifier,
  last: Checkpoint | null,
): { note: string; checkpoint: Checkpoint } | Refusal {
  const refusal = (status: Refusal["status"], text: string, type = "text/plain; charset=utf-8"): Refusal => ({
    status,
    type,
    body: `${text}\n`,
  });
  const submission = parseSubmission(body);
  const claimed = submission && parseCheckpoint(submission.note);
  if (submission === null || claimed === null) return refusal(400, "This is not a submission of a checkpoint.");
  if (claimed.origin !== log.name) return refusal(404, "This witness does not know the log.");
  const checkpoint = openCheckpoint(submission.note, log);
  if (checkpoint === null) return refusal(403, "The checkpoint is not signed with the log's key.");
  const { before, proof, note } = submission;
  if (before > checkpoint.size) return refusal(400, "The old size is above that of the checkpoint.");
  const lastSize = last?.size ?? 0;
  if (before !== lastSize) return refusal(409, String(lastSize), "text/x.tlog.size");
  if (last !== null && before === checkpoint.size && !last.root.equals(checkpoint.root))
    return refusal(409, String(lastSize), "text/x.tlog.size");
  const root = last?.root ?? Buffer.alloc(hashBytes);
  // An empty log needs no proof.
  const continues =
    before === 0 ? proof.length === 0 : isConsistent(before, root, checkpoint.size, checkpoint.root, proof);
  return continues
    ? { note, checkpoint }
    : refusal(422, "The proof does not lead from the last checkpoint to this one.");
}

/** The address and key of a witness, as its operator publishes them. */
export interface WitnessAddress {
  verifier: NoteVerifier;
  /** The submission prefix, without a trailing slash. */
  url: string;
}

/** Sends a submission. Throws if there is no response. */
export type Submit = (url: string, body: string) => Promise<{ status: number; body: string }>;

/**
 * Returns the cosignature line of a witness. `proofFrom` makes the proof from a smaller size. `knownSize`: the size of
 * the last checkpoint that the witness cosigned, as far as the log knows; if the witness reports another size, the
 * request is repeated once. Throws if the witness refuses, or does not cosign this checkpoint.
 */
export async function askWitness(
  { verifier, url }: WitnessAddress,
  {
    note,
    knownSize,
    proofFrom,
  }: { note: string; knownSize: number; proofFrom(before: number): Promise<readonly Buffer[]> },
  submit: Submit,
): Promise<string> {
  const size = parseCheckpoint(note)?.size ?? 0;
  const ask = async (before: number) =>
    submit(`${url}/add-checkpoint`, submissionText({ before, proof: await proofFrom(before), note }));
  let response = await ask(knownSize);
  const actual = /^(0|[1-9]\d{0,15})\n$/.exec(response.body)?.[1];
  if (response.status === 409 && actual !== undefined && Number(actual) !== knownSize && Number(actual) <= size)
    response = await ask(Number(actual));
  if (response.status !== 200)
    throw new Error(`The witness ${verifier.name} answers ${response.status}: ${response.body.trim().slice(0, 200)}`);
  for (const line of response.body.split("\n"))
    if (cosignedAt(`${noteText(note)}\n${line}\n`, verifier) !== null) return `${line}\n`;
  throw new Error(`The witness ${verifier.name} answers without its cosignature.`);
}

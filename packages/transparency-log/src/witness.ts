import { type Checkpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { cosignedAt } from "./cosignature.ts";
import { hashBytes } from "./hashing.ts";
import { type NoteVerifier, noteText } from "./note.ts";
import { isConsistent } from "./verify.ts";

// C2SP tlog-witness: a log sends each checkpoint to witnesses, with the proof that it continues from the one that the
// witness saw last, and gets cosignatures.

const maxProofLines = 63;

interface Submission {
  /** The size of the checkpoint that the witness cosigned last, as the log knows it. */
  before: number;
  proof: readonly Buffer[];
  /** The signed checkpoint. */
  note: string;
}

export const submissionText = ({ before, proof, note }: Submission): string =>
  [`old ${before}`, ...proof.map((hash) => hash.toString("base64")), "", note].join("\n");

/** Null for a text that is not a submission. */
function parseSubmission(body: string): Submission | null {
  const end = body.indexOf("\n\n");
  const [, old, lines = ""] = /^old (0|[1-9]\d{0,15})((?:\n[A-Za-z0-9+/]{43}=)*)$/.exec(body.slice(0, end)) ?? [];
  const proof = lines.split("\n").slice(1);
  if (end === -1 || old === undefined || proof.length > maxProofLines) return null;
  return {
    before: Number(old),
    proof: proof.map((line) => Buffer.from(line, "base64").subarray(0, hashBytes)),
    note: body.slice(end + 2),
  };
}

/** A refusal as HTTP. */
export interface Refusal {
  status: 400 | 403 | 404 | 409 | 422;
  type: string;
  body: string;
}

/**
 * Checks a submission against the checkpoint that the witness cosigned last; null for none. Returns the checkpoint to
 * keep and then to cosign.
 */
export function checkSubmission(
  body: string,
  log: NoteVerifier,
  last: Checkpoint | null,
): { note: string; checkpoint: Checkpoint } | Refusal {
  const refused = (status: Refusal["status"], text: string, type = "text/plain; charset=utf-8"): Refusal => ({
    status,
    type,
    body: `${text}\n`,
  });
  const submission = parseSubmission(body);
  const claimed = submission && parseCheckpoint(submission.note);
  if (submission === null || claimed === null) return refused(400, "This is no submission of a checkpoint.");
  if (claimed.origin !== log.name) return refused(404, "This witness does not know the log.");
  const checkpoint = openCheckpoint(submission.note, log);
  if (checkpoint === null) return refused(403, "The checkpoint is not signed with the log's key.");
  const { before, proof, note } = submission;
  if (before > checkpoint.size) return refused(400, "The old size is above that of the checkpoint.");
  const known = last?.size ?? 0;
  if (before !== known) return refused(409, String(known), "text/x.tlog.size");
  if (last !== null && before === checkpoint.size && !last.root.equals(checkpoint.root))
    return refused(409, String(known), "text/x.tlog.size");
  const root = last?.root ?? Buffer.alloc(hashBytes);
  // Nothing is to be proven of an empty log.
  const continues =
    before === 0 ? proof.length === 0 : isConsistent(before, root, checkpoint.size, checkpoint.root, proof);
  return continues
    ? { note, checkpoint }
    : refused(422, "The proof does not lead from the last checkpoint to this one.");
}

/** A witness as its operator publishes it. */
export interface WitnessAddress {
  verifier: NoteVerifier;
  /** The submission prefix, without a trailing slash. */
  url: string;
}

/** Sends a submission. Throws if there is no response. */
export type Submit = (url: string, body: string) => Promise<{ status: number; body: string }>;

/**
 * Gets the cosignature line of a witness. `proofFrom` makes the proof from a smaller size. `known` is the size that the
 * witness is believed to have; it corrects this once. Throws if it refuses, or does not cosign this checkpoint.
 */
export async function askWitness(
  { verifier, url }: WitnessAddress,
  { note, known, proofFrom }: { note: string; known: number; proofFrom(before: number): Promise<readonly Buffer[]> },
  submit: Submit,
): Promise<string> {
  const size = parseCheckpoint(note)?.size ?? 0;
  const ask = async (before: number) =>
    submit(`${url}/add-checkpoint`, submissionText({ before, proof: await proofFrom(before), note }));
  let response = await ask(known);
  const actual = /^(0|[1-9]\d{0,15})\n$/.exec(response.body)?.[1];
  if (response.status === 409 && actual !== undefined && Number(actual) !== known && Number(actual) <= size)
    response = await ask(Number(actual));
  if (response.status !== 200)
    throw new Error(`The witness ${verifier.name} answers ${response.status}: ${response.body.trim().slice(0, 200)}`);
  for (const line of response.body.split("\n"))
    if (cosignedAt(`${noteText(note)}\n${line}\n`, verifier) !== null) return `${line}\n`;
  throw new Error(`The witness ${verifier.name} answers without its cosignature.`);
}

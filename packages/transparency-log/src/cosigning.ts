import type { Logger } from "pino";
import { parseCheckpoint } from "./checkpoint.ts";
import { cosignedAt } from "./cosignature.ts";
import { nodesOfTiles, type ReadFile } from "./log-reader.ts";
import { consistencyProof } from "./tree.ts";
import { askWitness, type Submit, type WitnessAddress } from "./witness.ts";

const submitTimeoutMs = 5_000;
const maxResponseBytes = 65_536;

/** A log whose checkpoint takes signatures. */
interface SignedLog {
  files: { read: ReadFile };
  /** Adds lines of signatures to the published checkpoint, if it still is this one. */
  addSignatures(note: string, lines: string): Promise<unknown>;
}

export interface CosigningParts {
  signedLog: SignedLog;
  witnesses: readonly WitnessAddress[];
  log: Pick<Logger, "warn">;
  submit?: Submit;
}

/**
 * Requests the cosignatures of the witnesses for the published checkpoint, and adds them (C2SP tlog-witness). Since the
 * checkpoint is already published, an unreachable witness delays no leaf, and no witness cosigns a checkpoint that a
 * kill lost.
 */
export class Cosigning {
  readonly #parts: CosigningParts;
  /** The size that each witness cosigned last, by the name of the witness. */
  readonly #cosignedSizes = new Map<string, number>();
  /** The names of witnesses whose failure is already logged. */
  readonly #failing = new Set<string>();

  constructor(parts: CosigningParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { signedLog, witnesses } = this.#parts;
    const { files } = signedLog;
    const note = witnesses.length === 0 ? undefined : (await files.read("checkpoint"))?.toString();
    const checkpoint = note === undefined ? null : parseCheckpoint(note);
    if (note === undefined || checkpoint === null) return;
    const { size } = checkpoint;
    const nodes = nodesOfTiles(size, files.read);
    const lines = await Promise.all(
      witnesses
        .filter(({ verifier }) => cosignedAt(note, verifier) === null)
        .map((witness) =>
          this.#requestCosignature(witness, {
            note,
            size,
            proofFrom: (before) => consistencyProof(before, size, nodes),
          }),
        ),
    );
    if (lines.some((line) => line !== "")) await signedLog.addSignatures(note, lines.join(""));
  }

  /** Returns the line of the cosignature; empty if the witness does not cosign. */
  async #requestCosignature(
    witness: WitnessAddress,
    { note, size, proofFrom }: { note: string; size: number; proofFrom(before: number): Promise<readonly Buffer[]> },
  ): Promise<string> {
    const { submit = submitByHttp, log } = this.#parts;
    const { name } = witness.verifier;
    try {
      const line = await askWitness(
        witness,
        { note, knownSize: this.#cosignedSizes.get(name) ?? 0, proofFrom },
        submit,
      );
      this.#cosignedSizes.set(name, size);
      this.#failing.delete(name);
      return line;
    } catch (error) {
      if (!this.#failing.has(name)) log.warn({ err: error, witness: name }, "a witness does not cosign the log");
      this.#failing.add(name);
      return "";
    }
  }
}

const submitByHttp: Submit = async (url, body) => {
  const response = await fetch(url, {
    method: "POST",
    body,
    redirect: "error",
    signal: AbortSignal.timeout(submitTimeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new Error(`The response has more than ${maxResponseBytes} bytes.`);
    chunks.push(chunk);
  }
  return { status: response.status, body: Buffer.concat(chunks).toString() };
};

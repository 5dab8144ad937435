import { type NoteSigner, type NoteVerifier, openNote, signNote } from "./note.ts";

/** C2SP tlog-checkpoint: the size and root of a log at one moment. */
export interface Checkpoint {
  /** Identifies the log. All checkpoints of a log have the same origin. */
  origin: string;
  size: number;
  root: Buffer;
}

export const signCheckpoint = ({ origin, size, root }: Checkpoint, signers: readonly NoteSigner[]): string =>
  signNote(`${origin}\n${size}\n${root.toString("base64")}\n`, signers);

/** Returns null if this key has not signed the note, or if it is not a checkpoint. */
export function openCheckpoint(note: string, verifier: NoteVerifier): Checkpoint | null {
  const text = openNote(note, verifier);
  return text === null ? null : parseCheckpoint(text);
}

/** Parses a checkpoint without verifying a signature: for the log's own files. Returns null for another text. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const [, origin, size, root] = /^(.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n/.exec(note) ?? [];
  if (origin === undefined || root === undefined) return null;
  return { origin, size: Number(size), root: Buffer.from(root, "base64") };
}

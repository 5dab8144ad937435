import { parseCheckpoint } from "@beatmarket/transparency-log/checkpoint.ts";
import { leafHash } from "@beatmarket/transparency-log/hashing.ts";
import { isIncluded } from "@beatmarket/transparency-log/verify.ts";
import type { CertificateClaims } from "../queries.ts";
import { commitmentOf, decodeLeaf } from "./entry.ts";
import type { CertifiedProof } from "./proof.ts";

// Checks that the leaf of a license has the facts of its sale, and that the proof leads to the checkpoint. Pure.

/** The facts in the opening of a sale. */
export interface OpenedFacts {
  beat: number;
  type: string;
  terms_sha256: string;
  purchased_at: string;
}

/**
 * The problems of a license's leaf as sentences: salt and opening do not match the commitment in the leaf, or the
 * opening has other facts than the license.
 */
export function openingProblems(
  id: string,
  { entry, salt, opening }: { entry: Buffer; salt: string; opening: string },
  facts: OpenedFacts,
): string[] {
  if (decodeLeaf(entry)?.commitment !== commitmentOf(opening, Buffer.from(salt, "base64")))
    return [`The leaf of license ${id} is not opened by its salt and opening.`];
  const content = JSON.parse(opening) as Record<string, unknown>;
  return Object.entries(facts)
    .filter(([name, value]) => content[name] !== value)
    .map(([name, value]) => `License ${id} shows ${name} ${value}; its leaf has ${content[name]}.`);
}

/**
 * The problems of the proof in a certificate as sentences; empty if it is correct. Does not verify the signature of the
 * checkpoint, which needs the key of the log.
 */
export function proofProblems({ jti, ...claims }: CertificateClaims, log: CertifiedProof): string[] {
  const { origin, index, size, checkpoint, proof, salt, opening } = log;
  const parsedCheckpoint = parseCheckpoint(checkpoint);
  const entry = Buffer.from(log.leaf, "base64");
  const path = proof.map((hash) => Buffer.from(hash, "base64"));
  const isProven =
    parsedCheckpoint?.origin === origin &&
    parsedCheckpoint.size === size &&
    isIncluded(leafHash(entry), index, size, path, parsedCheckpoint.root);
  return [
    ...(isProven ? [] : [`The proof of license ${jti} does not lead to its checkpoint.`]),
    ...openingProblems(
      jti,
      { entry, salt, opening },
      {
        beat: claims.beat.id,
        type: claims.license_type,
        terms_sha256: claims.terms.sha256,
        purchased_at: claims.purchased_at,
      },
    ),
  ];
}

import { hash } from "node:crypto";
import { type Checkpoint, openCheckpoint } from "@beatmarket/transparency-log/checkpoint.ts";
import { cosignedAt } from "@beatmarket/transparency-log/cosignature.ts";
import { emptyRoot, leafHash, nodeHash } from "@beatmarket/transparency-log/hashing.ts";
import { nodesOfTiles, type ReadFile, readEntries } from "@beatmarket/transparency-log/log-reader.ts";
import { parseVerifierKey } from "@beatmarket/transparency-log/note.ts";
import { consistencyProof, treeRoot } from "@beatmarket/transparency-log/tree.ts";
import { isConsistent } from "@beatmarket/transparency-log/verify.ts";
import type { StoredCheckpoint } from "@beatmarket/transparency-log/witness-server.ts";
import { openingProblems } from "./check-proof.ts";
import { decodeLeaf, LogRules } from "./entry.ts";

/** The public page of a license, as JSON. */
export interface PublishedLicense {
  id: string;
  type: string;
  beat: { id: number };
  purchased_at: string;
  terms: { text: string };
  log: { index: number; salt: string; opening: string } | null;
}

export interface AuditReport {
  /** The number of leaves. */
  size: number;
  /** The number of sales. */
  sold: number;
  /** The number of leaves that the log reports as lost by a restore of the shop's database. */
  lost: number;
  /** The problems as sentences, at most `maxProblems`; empty if everything is correct. */
  problems: string[];
  /** The checkpoint to store; null if there is a problem. */
  storedCheckpoint: StoredCheckpoint | null;
}

const maxProblems = 20;

/**
 * Checks a log by its public files: signature, cosignatures, tree, the stored checkpoint, rules, and the leaves of
 * `licenses`.
 */
export async function auditLog(
  readFile: ReadFile,
  {
    key,
    storedCheckpoint: lastCheckpoint,
    licenses = [],
    witnesses = [],
  }: {
    key: string;
    storedCheckpoint: StoredCheckpoint | null;
    licenses?: readonly PublishedLicense[];
    /** Verifier keys of witnesses that must have cosigned the checkpoint. */
    witnesses?: readonly string[];
  },
): Promise<AuditReport> {
  const problems: string[] = [];
  const rules = new LogRules();
  let size = 0;
  let note = "";
  try {
    const published = await openPublished(readFile, key, lastCheckpoint);
    ({ note } = published);
    ({ size } = published.checkpoint);
    const { checkpoint, before } = published;
    for (const witness of witnesses.map((each) => parseVerifierKey(each, "cosignature")))
      if (cosignedAt(note, witness) === null)
        problems.push(`The witness ${witness.name} has not cosigned the checkpoint.`);
    const tree = new RunningTree();
    let index = 0;
    if (before !== null && before.size > size)
      problems.push(`The log has ${size} leaves; it had ${before.size} at the last audit, so some were deleted.`);
    const compareWithStored = () => {
      if (index === before?.size && !tree.root.equals(before.root))
        problems.push(
          `The first ${index} leaves are not those of the last audit: one was changed or deleted, or the log was forked.`,
        );
    };
    compareWithStored();
    for await (const entry of readEntries(0, size, readFile)) {
      for (const license of licenses)
        if (license.log?.index === index) problems.push(...problemsOfLicense(license, entry));
      problems.push(...rules.checkLeaf(index, decodeLeaf(entry)));
      tree.add(entry);
      index++;
      compareWithStored();
    }
    if (!tree.root.equals(checkpoint.root)) problems.push("The leaves do not lead to the signed root.");
    if (!(await treeRoot(size, nodesOfTiles(size, readFile))).equals(checkpoint.root))
      problems.push("The tiles do not lead to the signed root.");
  } catch (error) {
    problems.push((error as Error).message);
  }
  for (const { id, log } of licenses)
    if (log === null || log.index >= size) problems.push(`License ${id} is not in the log.`);
  const isCorrect = problems.length === 0;
  return {
    size,
    sold: rules.sold,
    lost: rules.lost,
    problems: problems.slice(0, maxProblems),
    storedCheckpoint: isCorrect ? { key, checkpoint: note } : null,
  };
}

/**
 * The cheap part of an audit, for a witness: checks that the published checkpoint continues from the stored one. Throws
 * if it does not.
 */
export async function witnessLog(
  readFile: ReadFile,
  key: string,
  lastCheckpoint: StoredCheckpoint | null,
): Promise<StoredCheckpoint & { size: number }> {
  const { note, checkpoint, before } = await openPublished(readFile, key, lastCheckpoint);
  const { size, root } = checkpoint;
  if (before !== null) {
    const proof = before.size > size ? [] : await consistencyProof(before.size, size, nodesOfTiles(size, readFile));
    if (!isConsistent(before.size, before.root, size, root, proof))
      throw new Error(
        `The log of ${size} leaves does not continue from the checkpoint of ${before.size} leaves that is stored. Keep both, because together they prove the fork.`,
      );
  }
  return { key, checkpoint: note, size };
}

async function openPublished(readFile: ReadFile, key: string, lastCheckpoint: StoredCheckpoint | null) {
  const verifier = parseVerifierKey(key);
  const note = (await readFile("checkpoint"))?.toString();
  if (note === undefined) throw new Error("The log has no checkpoint.");
  const checkpoint = openCheckpoint(note, verifier);
  if (checkpoint === null) throw new Error("The checkpoint is not signed with the log's key.");
  let before: Checkpoint | null = null;
  if (lastCheckpoint !== null) {
    before = openCheckpoint(lastCheckpoint.checkpoint, parseVerifierKey(lastCheckpoint.key));
    if (lastCheckpoint.key !== key) throw new Error("The log has another key than at the last audit.");
    if (before === null) throw new Error("The stored checkpoint is damaged.");
  }
  return { note, checkpoint, before };
}

const problemsOfLicense = ({ id, log, ...license }: PublishedLicense, entry: Buffer): string[] =>
  openingProblems(
    id,
    { entry, salt: log?.salt ?? "", opening: log?.opening ?? "" },
    {
      beat: license.beat.id,
      type: license.type,
      terms_sha256: hash("sha256", license.terms.text),
      purchased_at: license.purchased_at,
    },
  );

/** A growing tree, as the hashes of its complete subtrees. */
class RunningTree {
  readonly #subtrees: { leaves: number; hash: Buffer }[] = [];

  add(entry: Uint8Array): void {
    let last = { leaves: 1, hash: leafHash(entry) };
    for (let before = this.#subtrees.at(-1); before?.leaves === last.leaves; before = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      last = { leaves: last.leaves * 2, hash: nodeHash(before.hash, last.hash) };
    }
    this.#subtrees.push(last);
  }

  get root(): Buffer {
    const [last, ...above] = this.#subtrees.map(({ hash }) => hash).reverse();
    return last === undefined ? emptyRoot : above.reduce((right, left) => nodeHash(left, right), last);
  }
}

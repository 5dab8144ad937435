import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { type Checkpoint, signCheckpoint } from "./checkpoint.ts";
import { cosign, cosignedAt } from "./cosignature.ts";
import { nodesOfEntries } from "./log-reader.ts";
import { parseVerifierKey, verifierKey } from "./note.ts";
import { consistencyProof, treeRoot } from "./tree.ts";
import { askWitness, checkSubmission, type Submit, submissionText } from "./witness.ts";

const signer = (name: string) => ({ name, privateKey: generateKeyPairSync("ed25519").privateKey });
const verifierOf = ({ name, privateKey }: ReturnType<typeof signer>) => ({
  name,
  publicKey: createPublicKey(privateKey),
});
const log = signer("beats.example.com/licenses/log");
const witness = signer("witness.example/w1");
const now = new Date("2026-11-29T04:00:00Z");

const nodes = nodesOfEntries(Array.from({ length: 30 }, (_, n) => Buffer.from(`entry ${n}`)));
const forged = nodesOfEntries(Array.from({ length: 30 }, (_, n) => Buffer.from(`other ${n}`)));
const noteOf = async (size: number, by = log, reader = nodes) =>
  signCheckpoint({ origin: by.name, size, root: await treeRoot(size, reader) }, [by]);
const checkpointOf = async (size: number): Promise<Checkpoint> => ({
  origin: log.name,
  size,
  root: await treeRoot(size, nodes),
});
const submission = async (before: number, size: number, note?: string) =>
  submissionText({ before, proof: await consistencyProof(before, size, nodes), note: note ?? (await noteOf(size)) });

test("a cosignature binds a checkpoint, a witness and a time", async () => {
  const note = await noteOf(7);
  const cosigned = `${note}${cosign(note, witness, now)}`;
  expect(cosignedAt(cosigned, verifierOf(witness))).toEqual(now);
  expect(cosignedAt(cosigned, verifierOf(signer(witness.name)))).toBeNull();
  expect(cosignedAt(note, verifierOf(witness))).toBeNull();
  expect(cosignedAt(cosigned.replace("\n7\n", "\n8\n"), verifierOf(witness))).toBeNull();
});

test("a witness key is refused as a log key", () => {
  const key = verifierKey(verifierOf(witness), "cosignature");
  expect(verifierKey(parseVerifierKey(key, "cosignature"), "cosignature")).toBe(key);
  expect(() => parseVerifierKey(key)).toThrow("not a verifier key of Ed25519 for a note");
  expect(Buffer.from(key.split("+").slice(2).join("+"), "base64")[0]).toBe(4);
});

test("the cosignature in the specification has a key hash of 4 bytes, a time of 8 and a signature of 64", () => {
  const line =
    "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==";
  const bytes = Buffer.from(line, "base64");
  expect([bytes.length, Number(bytes.readBigUInt64BE(4))]).toEqual([4 + 8 + 64, 1_679_315_147]);
});

test("a witness accepts its first checkpoint, a longer checkpoint, and the same checkpoint again", async () => {
  const check = (last: Checkpoint | null, body: string) => checkSubmission(body, verifierOf(log), last);
  expect(check(null, await submission(0, 7))).toMatchObject({ checkpoint: { size: 7 } });
  expect(check(await checkpointOf(7), await submission(7, 20))).toMatchObject({ checkpoint: { size: 20 } });
  expect(check(await checkpointOf(20), await submission(20, 20))).toMatchObject({ checkpoint: { size: 20 } });
});

test.each<[number, string, () => Promise<[number | null, string]>, string?]>([
  [400, "a text that is not a submission", async () => [null, "old x\n\n"]],
  [
    400,
    "an old size above the new one",
    async () => [9, submissionText({ before: 9, proof: [], note: await noteOf(7) })],
  ],
  [
    400,
    "too many lines",
    async () => [null, submissionText({ before: 0, proof: Array(64).fill(Buffer.alloc(32)), note: await noteOf(7) })],
  ],
  [403, "another key", async () => [null, await submission(0, 7, await noteOf(7, { ...signer(log.name) }))]],
  [404, "another log", async () => [null, await submission(0, 7, await noteOf(7, signer("other.example/log")))]],
  [409, "another old size", async () => [20, await submission(7, 25)], "20\n"],
  [
    409,
    "the same size with another root",
    async () => [7, submissionText({ before: 7, proof: [], note: await noteOf(7, log, forged) })],
  ],
  [422, "a fork", async () => [7, await submission(7, 20, await noteOf(20, log, forged))]],
  [
    422,
    "a first checkpoint with a proof",
    async () => [null, submissionText({ before: 0, proof: [Buffer.alloc(32)], note: await noteOf(7) })],
  ],
])("a witness answers %i to %s", async (status, _, facts, body) => {
  const [last, text] = await facts();
  const answer = checkSubmission(text, verifierOf(log), last === null ? null : await checkpointOf(last));
  expect(answer).toMatchObject({ status, ...(body !== undefined && { body, type: "text/x.tlog.size" }) });
});

test("a log gets the cosignature of a witness whose size differs from the expected size; a refusal, or another witness's cosignature, is an error", async () => {
  const note = await noteOf(20);
  const sizes: string[] = [];
  const submit: Submit = async (url, body) => {
    sizes.push(`${url} ${body.split("\n")[0]}`);
    const answer = checkSubmission(body, verifierOf(log), await checkpointOf(7));
    return "status" in answer ? answer : { status: 200, body: cosign(answer.note, witness, now) };
  };
  const address = { verifier: verifierOf(witness), url: "https://w1.example" };
  const proofFrom = (before: number) => consistencyProof(before, 20, nodes);
  const line = await askWitness(address, { note, knownSize: 0, proofFrom }, submit);
  expect(cosignedAt(note + line, verifierOf(witness))).toEqual(now);
  expect(sizes).toEqual(["https://w1.example/add-checkpoint old 0", "https://w1.example/add-checkpoint old 7"]);
  const stranger = { ...address, verifier: verifierOf(signer("witness.example/w2")) };
  await expect(askWitness(stranger, { note, knownSize: 7, proofFrom }, submit)).rejects.toThrow(
    "without its cosignature",
  );
  const refusing: Submit = async () => ({ status: 422, body: "No.\n" });
  await expect(askWitness(address, { note, knownSize: 0, proofFrom }, refusing)).rejects.toThrow("answers 422: No.");
});

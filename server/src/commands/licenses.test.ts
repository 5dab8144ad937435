import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { publicJwk, signJws } from "@beatmarket/signing-keys/jws.ts";
import { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { signCheckpoint } from "@beatmarket/transparency-log/checkpoint.ts";
import { leafHash, nodeHash } from "@beatmarket/transparency-log/hashing.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { commitmentOf, encodeLeaf } from "../resources/licenses/log/entry.ts";
import { certificateType } from "../resources/licenses/queries.ts";
import { licensesCommand } from "./licenses.ts";

const url = await testDatabaseUrl();
const { query: db } = openTestDatabase(url);
const secretKey = "the key that seals, and long enough for that";
const keys = new SigningKeys(db, await openSecretBox({ dataDir: "/nonexistent", secretKey }));
const folder = await mkdtemp(join(tmpdir(), "beatmarket-verify-"));
afterAll(() => rm(folder, { recursive: true }));

const song = "the bytes of a song";
const claims = {
  iss: "https://beats.example.com",
  iat: 1_795_000_000,
  jti: "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921",
  license_type: "basic",
  order_id: 12,
  purchased_at: "2026-11-22T19:10:00Z",
  beat: { id: 1, title: "Midnight" },
  producer: { id: 2, name: "Nightowl" },
  files: [
    {
      kind: "mp3",
      filename: "Midnight.mp3",
      bytes: song.length,
      sha256: createHash("sha256").update(song).digest("hex"),
    },
  ],
};
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

const licenses = (...args: string[]) =>
  runHere(licensesCommand, ["licenses", ...args], { DATABASE_URL: url, SECRET_KEY: secretKey });

test("keys are listed and rotated, and earlier certificates stay valid", async () => {
  expect((await licenses("keys", "list")).out).toMatch(/^No keys yet/);
  const before = await keys.sign(claims, certificateType, new Date());
  const { kid } = JSON.parse((await licenses("keys", "rotate", "--json")).out);
  const listed = JSON.parse((await licenses("keys", "list", "--json")).out);
  expect(listed).toEqual([
    { kid, created_at: expect.stringMatching(/Z$/), signs: true },
    { kid: expect.not.stringContaining(kid), created_at: expect.stringMatching(/Z$/), signs: false },
  ]);
  expect((await licenses("keys", "list")).out).toMatch(new RegExp(`^KEY +CREATED +SIGNS\\n${kid} .*yes`));
  for (const jws of [before, await keys.sign(claims, certificateType, new Date())])
    expect((await licenses("verify", jws)).out).toMatch(
      /^The signature is valid\. https:\/\/beats\.example\.com issued it on .*\nLicense 0198f1a2-.*: basic, “Midnight” by Nightowl, order 12/,
    );
});

test("verify compares delivered files with the certificate", async () => {
  const jws = await file("license.jws", `${await keys.sign(claims, certificateType, new Date())}\n`);
  const [good, bad] = [await file("song.mp3", song), await file("other.mp3", `${song}!`)];
  expect(await licenses("verify", jws, good, "--json")).toMatchObject({
    status: 0,
    out: expect.stringContaining('"kind":"mp3"'),
  });
  const { status, out } = await licenses("verify", jws, good, bad);
  expect(status).toBe(1);
  expect(out).toContain(`${good} is the licensed mp3 file.\n${bad} is none of the licensed files, or it was changed.`);
});

test("verify checks the proof that the sale is in the license log, without a network", async () => {
  const facts = { beat: 1, type: "basic", terms_sha256: "ab".repeat(32), purchased_at: claims.purchased_at };
  const opening = JSON.stringify(facts);
  const salt = Buffer.alloc(32, 7);
  const leaf = encodeLeaf({
    v: 1,
    kind: "sold",
    time: claims.purchased_at,
    beat: 1,
    exclusive: false,
    placed: claims.purchased_at,
    commitment: commitmentOf(opening, salt),
  });
  const other = leafHash(Buffer.from("another leaf"));
  const { privateKey } = generateKeyPairSync("ed25519");
  const origin = "beats.example.com/licenses/log";
  const checkpoint = signCheckpoint({ origin, size: 2, root: nodeHash(other, leafHash(leaf)) }, [
    { name: origin, privateKey },
  ]);
  const log = {
    origin,
    index: 1,
    size: 2,
    leaf: leaf.toString("base64"),
    proof: [other.toString("base64")],
    salt: salt.toString("base64"),
    opening,
    checkpoint,
  };
  const terms = { version: "2026-11-26", sha256: facts.terms_sha256 };
  const verify = async (overrides: object) =>
    licenses("verify", await keys.sign({ ...claims, terms, log, ...overrides }, certificateType, new Date()));
  expect(await verify({})).toMatchObject({
    status: 0,
    out: expect.stringContaining(`leaf 1 of 2 in the log ${origin}.`),
  });
  for (const [overrides, problem] of [
    [{ license_type: "premium" }, "shows type premium; its leaf has basic"],
    [{ log: { ...log, index: 0 } }, "does not lead to its checkpoint"],
    [{ log: { ...log, salt: "AAAA" } }, "is not opened by its salt and opening"],
  ] as const)
    expect(await verify(overrides)).toMatchObject({ status: 1, out: expect.stringContaining(problem) });
});

test("verify reads the keys from a file or an address instead of the database", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const jwk = publicJwk(privateKey);
  const jws = signJws(claims, { kid: jwk.kid, privateKey }, certificateType);
  expect((await licenses("verify", jws)).errors).toMatch(/No key .* is known here/);
  const set = JSON.stringify({ keys: [jwk] });
  const server = createServer((_, response) => response.end(set)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`;
  for (const source of [await file("jwks.json", set), address])
    expect(await licenses("verify", jws, "--jwks", source), source).toMatchObject({ status: 0, errors: "" });
});

test.each([
  [
    "a changed certificate",
    async () => [`${(await keys.sign(claims, certificateType, new Date())).slice(0, -8)}AAAAAAAA`],
    /The signature does not fit/,
  ],
  [
    "the keys of another marketplace",
    async () => [
      await keys.sign(claims, certificateType, new Date()),
      "--jwks",
      await file("none.json", '{"keys":[]}'),
    ],
    /No key .* is known here; take the keys of the service that signed/,
  ],
  ["a text that is not a certificate", async () => [await file("song.txt", song)], /This is not a JWS/],
  [
    "a missing file",
    async () => ["nowhere.jws"],
    /nowhere\.jws is neither a JWS nor a file that can be read \(ENOENT\)/,
  ],
  [
    "a missing delivered file",
    async () => [await keys.sign(claims, certificateType, new Date()), "nowhere.mp3"],
    /nowhere\.mp3 cannot be read \(ENOENT\)/,
  ],
  [
    "an invalid key set",
    async () => [await keys.sign(claims, certificateType, new Date()), "--jwks", await file("set.json", "{}")],
    /set\.json, which is not a key set\. It takes a response of/,
  ],
])("verify refuses %s with a sentence and status 1", async (_, args, message) => {
  const { errors, out, status } = await licenses("verify", ...(await args()));
  expect(errors).toMatch(message);
  expect(out).toBe("");
  expect(status).toBe(1);
});

import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { signingKeysDatabase } from "../testing/signing-keys-database.ts";
import { publicJwk, signJws, verifyJws } from "./jws.ts";
import { keySet, listKeys, resealSigningKeys, rotateKey, SigningKeys } from "./keys.ts";

const { query: db } = await signingKeysDatabase();
const box = await openSecretBox({ dataDir: "/nonexistent", secretKey: "one" });
const now = new Date("2026-11-22T12:00:00Z");
const claims = { jti: "x", work: { title: "Łódź" } };
const type = "example+jwt";

beforeEach(async () => {
  await db.deleteFrom("signing_keys").execute();
  await db.updateTable("sealing_key").set({ id: null, format: 2 }).execute();
});

describe("a JWS", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const jwk = publicJwk(privateKey);
  const jws = signJws(claims, { kid: jwk.kid, privateKey }, type);

  it("has the thumbprint of RFC 8037, appendix A.3, as its key's id", () => {
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    const key = { key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" } as const;
    expect(publicJwk(createPrivateKey(key)).kid).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  });

  it("verifies with its own key, and with no other key", () => {
    expect(verifyJws(jws, [jwk], type)).toEqual(claims);
    const other = publicJwk(generateKeyPairSync("ed25519").privateKey);
    expect(() => verifyJws(jws, [other], type)).toThrow(`No key ${jwk.kid} is known here`);
    expect(() => verifyJws(jws, [{ ...other, kid: jwk.kid }], type)).toThrow("The signature does not fit");
  });

  it("does not verify after a change, with `alg` none, as another type, or in another format", () => {
    const [header, , signature] = jws.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const changed = `${header}.${encode({ ...claims, jti: "y" })}.${signature}`;
    expect(() => verifyJws(changed, [jwk], type)).toThrow("The signature does not fit");
    const none = `${encode({ alg: "none", kid: jwk.kid, typ: type })}.${encode(claims)}.AA`;
    expect(() => verifyJws(none, [jwk], type)).toThrow("another kind of token");
    expect(() => verifyJws(jws, [jwk], "other+jwt")).toThrow("its header has to say alg EdDSA and typ other+jwt");
    for (const text of ["", "a.b", "a.b.c", "a.b.c.d", "é.b.c", `${jws}=`])
      expect(() => verifyJws(text, [jwk], type), text).toThrow("This is not a JWS");
  });
});

describe("signing keys", () => {
  it("start with one key, even if two instances sign for the first time at once", async () => {
    const instances = [new SigningKeys(db, box), new SigningKeys(db, box)];
    const signed = await Promise.all(instances.map((keys) => keys.sign(claims, type, now)));
    const { keys } = await keySet(db);
    expect(keys).toHaveLength(1);
    for (const jws of signed) expect(verifyJws(jws, keys, type)).toEqual(claims);
  });

  it("rotate for every instance at once, and earlier signatures stay valid", async () => {
    const [one, other] = [new SigningKeys(db, box), new SigningKeys(db, box)];
    const before = await one.sign(claims, type, now);
    await other.sign(claims, type, now);
    // The clock of the instance that rotates is slow.
    const kid = await rotateKey(db, box, new Date(now.getTime() - 60_000));
    const after = await Promise.all([one.sign(claims, type, now), other.sign(claims, type, now)]);
    for (const jws of after)
      expect(JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()).kid).toBe(kid);
    const { keys } = await keySet(db);
    for (const jws of [before, ...after]) expect(verifyJws(jws, keys, type)).toEqual(claims);
    expect((await listKeys(db)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it("are sealed, are published without the private key, and can be resealed under another secret key", async () => {
    const jws = await new SigningKeys(db, box).sign(claims, type, now);
    const row = await db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow();
    expect(row.private_key).toMatch(/^v2:/);
    const { keys } = await keySet(db);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    const [during, after] = await Promise.all([
      openSecretBox({ dataDir: "/nonexistent", secretKey: "two", secretKeyPrevious: "one" }),
      openSecretBox({ dataDir: "/nonexistent", secretKey: "two" }),
    ]);
    expect(await resealSigningKeys(db, after, after.keys.newest)).toEqual({ resealed: 0, unopened: [row.kid] });
    expect(await resealSigningKeys(db, during, during.keys.newest)).toEqual({ resealed: 1, unopened: [] });
    expect(await resealSigningKeys(db, during, during.keys.newest)).toEqual({ resealed: 0, unopened: [] });
    expect(await new SigningKeys(db, after).sign(claims, type, now)).toBe(jws);
  });
});

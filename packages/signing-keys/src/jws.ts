import { createHash, createPublicKey, type KeyObject, sign, verify, type webcrypto } from "node:crypto";

type JsonWebKey = webcrypto.JsonWebKey & { kid?: string };

/** An Ed25519 public key as /.well-known/jwks.json shows it (RFC 8037). */
export interface PublicJwk {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  use: "sig";
  alg: "EdDSA";
}

/** The message says in a sentence why a text is not valid. */
export class InvalidJws extends Error {
  override readonly name = "InvalidJws";
}

/** The public key of `key`. Its `kid` is its thumbprint (RFC 7638). */
export function publicJwk(key: KeyObject): PublicJwk {
  const { x } = createPublicKey(key).export({ format: "jwk" }) as { x: string };
  const kid = createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}

/**
 * Returns a compact JWS (RFC 7515) with EdDSA (RFC 8037). `claims` is a JSON object. `type` is the `typ` of the header.
 */
export function signJws(
  claims: object,
  { kid, privateKey }: { kid: string; privateKey: KeyObject },
  type: string,
): string {
  const input = `${encode({ alg: "EdDSA", kid, typ: type })}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`;
}

/** Returns the claims of a JWS of this type that one of the keys signed. Throws InvalidJws for every other text. */
export function verifyJws(jws: string, keys: readonly JsonWebKey[], type: string): unknown {
  const parts = jws.split(".");
  if (parts.length !== 3 || parts.some((part) => !/^[\w-]+$/.test(part)))
    throw new InvalidJws("This is not a JWS: it takes three base64url texts with dots in between.");
  const [header = "", claims = "", signature = ""] = parts;
  const { alg, kid, typ } = decode(header) as Record<string, unknown>;
  if (alg !== "EdDSA" || typ !== type)
    throw new InvalidJws(`This is another kind of token: its header has to say alg EdDSA and typ ${type}.`);
  const jwk = keys.find((key) => key.kid === kid && key.kty === "OKP" && key.crv === "Ed25519");
  if (jwk === undefined)
    throw new InvalidJws(`No key ${String(kid)} is known here; take the keys of the service that signed the text.`);
  const key = createPublicKey({ key: jwk, format: "jwk" });
  if (!verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")))
    throw new InvalidJws("The signature does not fit: the text was changed, or another party signed it.");
  return decode(claims);
}

/** Returns the claims without a check of the signature. Only for a JWS that this service has signed. */
export const readClaims = (jws: string): unknown => decode(jws.split(".")[1] ?? "");

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function decode(text: string): object {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  throw new InvalidJws("This is not a JWS: its parts are not JSON objects.");
}

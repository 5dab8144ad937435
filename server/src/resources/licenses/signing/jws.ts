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

/** Why a text is not a valid certificate, in a sentence. */
export class InvalidJws extends Error {
  override readonly name = "InvalidJws";
}

const typ = "license+jwt";

/** The public half, named by its thumbprint (RFC 7638). */
export function publicJwk(key: KeyObject): PublicJwk {
  const { x } = createPublicKey(key).export({ format: "jwk" }) as { x: string };
  const kid = createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}

/** A compact JWS (RFC 7515) with EdDSA (RFC 8037). `claims` is a JSON object; `kind` is the `typ` of its header, a certificate's by default. */
export function signJws(
  claims: object,
  { kid, privateKey }: { kid: string; privateKey: KeyObject },
  kind = typ,
): string {
  const input = `${encoded({ alg: "EdDSA", kid, typ: kind })}.${encoded(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`;
}

/** The claims of a certificate whose signature one of the keys made. Throws InvalidJws. */
export function verifyJws(jws: string, keys: readonly JsonWebKey[]): unknown {
  const parts = jws.split(".");
  if (parts.length !== 3 || parts.some((part) => !/^[\w-]+$/.test(part)))
    throw new InvalidJws("This is not a certificate: it takes three base64url texts with dots in between.");
  const [header = "", claims = "", signature = ""] = parts;
  const { alg, kid, typ: kind } = decoded(header) as Record<string, unknown>;
  if (alg !== "EdDSA" || kind !== typ)
    throw new InvalidJws(`This is another kind of token: its header has to say alg EdDSA and typ ${typ}.`);
  const jwk = keys.find((key) => key.kid === kid && key.kty === "OKP" && key.crv === "Ed25519");
  if (jwk === undefined)
    throw new InvalidJws(
      `No key ${String(kid)} is known here; take the keys of the marketplace that issued the certificate.`,
    );
  const key = createPublicKey({ key: jwk, format: "jwk" });
  if (!verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")))
    throw new InvalidJws("The signature does not fit: the certificate was changed, or another party signed it.");
  return decoded(claims);
}

/** The claims of a JWS that this service has made, unverified. */
export const readClaims = (jws: string): unknown => decoded(jws.split(".")[1] ?? "");

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function decoded(text: string): object {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  throw new InvalidJws("This is not a certificate: its parts are not JSON objects.");
}

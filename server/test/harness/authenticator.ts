import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { publicUrl } from "./api.ts";

interface Options {
  origin?: string;
  /** The relying party id to which the browser binds the credential. */
  rpId?: string;
  isUserVerified?: boolean;
}

/**
 * A WebAuthn authenticator in software, with one ES256 credential. Its methods return the data that a browser sends.
 */
export class TestAuthenticator {
  readonly credential = randomBytes(16).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #counter = 0;

  /** The data that a browser sends to register the credential. */
  create(challenge: string, options: Options = {}) {
    const id = Buffer.from(this.credential, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(this.#keys.publicKey)]);
    const data = this.#data(0x40, options, attested);
    return {
      credential: this.credential,
      client_data: clientData("webauthn.create", challenge, options),
      attestation: Buffer.concat([
        Buffer.from([0xa3]),
        text("fmt"),
        text("none"),
        text("attStmt"),
        Buffer.from([0xa0]),
        text("authData"),
        bytes(data),
      ]).toString("base64url"),
      transports: ["internal"],
    };
  }

  /** The data that a browser sends to sign in. */
  sign(challenge: string, options: Options = {}) {
    const client_data = clientData("webauthn.get", challenge, options);
    this.#counter++;
    const data = this.#data(0, options);
    const signed = Buffer.concat([data, sha256(Buffer.from(client_data, "base64url"))]);
    return {
      credential: this.credential,
      client_data,
      authenticator_data: data.toString("base64url"),
      signature: createSign("sha256").update(signed).sign(this.#keys.privateKey).toString("base64url"),
    };
  }

  #data(flags: number, { rpId = "localhost", isUserVerified = true }: Options, attested = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const state = Buffer.from([flags | 0x01 | (isUserVerified ? 0x04 : 0)]);
    return Buffer.concat([sha256(rpId), state, counter, attested]);
  }
}

const clientData = (type: string, challenge: string, { origin = publicUrl }: Options): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

// Encodes values as CBOR (RFC 8949).
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** Encodes an ES256 key as in RFC 9053: kty 2, alg -7, crv 1, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" }) as { x?: string; y?: string };
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, "base64url")),
  ]);
}

import { ApiError, api, unwrap } from "./client.ts";
import { siteName } from "./site-name.ts";

// Passkeys of this browser (WebAuthn Level 3, with options and responses as JSON).

/** Whether this browser supports passkeys on this origin. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** The texts of both responses are in base64url, except `transports`. */
interface AttestationJson {
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
}
interface AssertionJson {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

/** COSE algorithms: Ed25519, ECDSA with P-256, RSA. */
const algorithms = [-8, -7, -257];

/** Creates a passkey for the signed-in account. Rejects if the user cancels. */
export async function createPasskey(name: string, user: { email: string; name: string }): Promise<void> {
  const offer = await unwrap(api.POST("/account/passkeys/offers"));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    challenge: offer.challenge,
    rp: { id: offer.rp_id, name: siteName() },
    user: { id: offer.user_handle, name: user.email, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: offer.exclude.map((id) => ({ type: "public-key", id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
  });
  const credential = await ask(() => navigator.credentials.create({ publicKey }));
  const { id, response } = credential.toJSON() as { id: string; response: AttestationJson };
  const body = {
    name,
    credential: id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports,
  };
  await unwrap(api.POST("/account/passkeys", { body }));
}

/** Signs in with a passkey that the user chooses in a dialog of the browser. Rejects if the user cancels. */
export async function signInWithPasskey(): Promise<void> {
  const { challenge, rp_id } = await unwrap(api.POST("/auth/passkey/challenges"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge,
    rpId: rp_id,
    userVerification: "required",
  });
  const credential = await ask(() => navigator.credentials.get({ publicKey }));
  const { id, response } = credential.toJSON() as { id: string; response: AssertionJson };
  const body = {
    credential: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
  await unwrap(api.POST("/auth/passkey", { body }));
}

/** Asks the user for a credential. Throws an ApiError whose `details` explain the failure. */
async function ask(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    return (await work()) as PublicKeyCredential;
  } catch (error) {
    const { name } = error as Error;
    if (name === "InvalidStateError") throw refusal("This device has a passkey of the account already.");
    if (name === "SecurityError") throw refusal("Passkeys belong to a host name: open the portal at its own address.");
    throw refusal("No passkey was used: the browser's dialog was closed, or this device has none. Try again.");
  }
}

const refusal = (details: string): ApiError => new ApiError(400, "No passkey", details, null);

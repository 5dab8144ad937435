import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { cose, decodeAttestationObject } from "@simplewebauthn/server/helpers";

/** The relying party of a credential: the origin of the page, and the host to which the credential is bound. */
export interface RelyingParty {
  origin: string;
  id: string;
}

/** A new credential as the browser returns it. All fields except `transports` are in base64url. */
export interface NewCredential {
  credential: string;
  client_data: string;
  attestation: string;
  transports: string[];
}

/** A signature of a credential as the browser returns it. All fields are in base64url. */
export interface CredentialSignature {
  credential: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
}

export interface StoredCredential {
  publicKey: Uint8Array;
  counter: number;
}

type CheckChallenge = (challenge: string) => Promise<boolean>;

/** The signature algorithms of common authenticators: Ed25519, ECDSA with P-256, and RSA. */
const algorithms = [cose.COSEALG.EdDSA, cose.COSEALG.ES256, cose.COSEALG.RS256];

/**
 * The public key and the counter of a new credential, and whether the authenticator syncs it to other devices. Null if
 * the credential is invalid or has a certificate, or if the user was not verified.
 */
export async function readNewCredential(
  { credential, client_data, attestation, transports }: NewCredential,
  rp: RelyingParty,
  expectedChallenge: CheckChallenge,
): Promise<(StoredCredential & { isSynced: boolean }) | null> {
  try {
    // To check a certificate, the library would request the URLs in it. The browser is asked for no attestation, so
    // there should be no certificate.
    if (decodeAttestationObject(Buffer.from(attestation, "base64url")).get("attStmt").get("x5c") !== undefined)
      return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: credential,
        rawId: credential,
        type: "public-key",
        response: { clientDataJSON: client_data, attestationObject: attestation, transports },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo.credential.id !== credential) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { publicKey, counter, isSynced: registrationInfo.credentialBackedUp };
  } catch {
    return null;
  }
}

/** The counter of a signature; null if the signature is invalid or the user was not verified. */
export async function verifySignature(
  { credential, client_data, authenticator_data, signature }: CredentialSignature,
  stored: StoredCredential,
  rp: RelyingParty,
  expectedChallenge: CheckChallenge,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credential,
        rawId: credential,
        type: "public-key",
        response: { clientDataJSON: client_data, authenticatorData: authenticator_data, signature },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      credential: { id: credential, publicKey: Uint8Array.from(stored.publicKey), counter: stored.counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

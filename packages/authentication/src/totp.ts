import { createHmac, randomBytes } from "node:crypto";

// Time-based one-time passwords in the form that every authenticator app supports: SHA-1, six digits, 30 seconds (RFC
// 6238).

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const periodMs = 30_000;
/** The accepted difference of clocks: one period before and after (RFC 6238, sections 5.2 and 6). */
const toleratedSteps = [0, -1, 1] as const;

/** Generates a secret of 160 bits in Base32. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/** Generates a recovery code of 80 random bits, in groups that people can copy. */
export const newRecoveryCode = (): string => (base32(randomBytes(10)).match(/.{4}/g) ?? []).join("-");

/**
 * The URI that an authenticator app scans (the Key Uri Format of Google Authenticator). The app shows `issuer` next to
 * the code.
 */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
}

/** The code of a step. A step is a number of 30-second periods since 1970. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** The step to which a code belongs, at most one period away; null for a wrong code. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / periodMs);
  const step = toleratedSteps.map((difference) => now + difference).find((each) => totpCode(secret, each) === code);
  return step ?? null;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

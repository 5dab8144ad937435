import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthContext } from "../context.ts";

const randomLength = 16;
const timeLength = 4;
const macLength = 16;
const lifeSeconds = 600;

/**
 * Challenges of WebAuthn. One is its own proof: random bytes, its time and an HMAC over both and over what it is for, so strangers
 * who ask for many fill no table. It works once.
 */
export class PasskeyChallenges {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** A challenge in base64url. `purpose` is `sign-in`, or a new passkey of an account. */
  make(purpose: string): string {
    const time = Buffer.alloc(timeLength);
    time.writeUInt32BE(Math.floor(this.#context.clock.nowMs() / 1000));
    const body = Buffer.concat([randomBytes(randomLength), time]);
    return Buffer.concat([body, mac(this.#context.settings.secrets()[0], purpose, body)]).toString("base64url");
  }

  /** Whether it is one of the last ten minutes for this purpose, and used for the first time. */
  async use(challenge: string, purpose: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, "base64url");
    if (bytes.length !== randomLength + timeLength + macLength || bytes.toString("base64url") !== challenge)
      return false;
    const body = bytes.subarray(0, randomLength + timeLength);
    const signature = bytes.subarray(randomLength + timeLength);
    const isGenuine = this.#context.settings
      .secrets()
      .some((secret) => timingSafeEqual(signature, mac(secret, purpose, body)));
    const isFresh = body.readUInt32BE(randomLength) + lifeSeconds > this.#context.clock.nowMs() / 1000;
    return isGenuine && isFresh && (await this.#context.limits.isFirstUse(challenge));
  }
}

const mac = (secret: string, purpose: string, body: Buffer): Buffer =>
  createHmac("sha256", secret).update(`passkey challenge\n${purpose}\n`).update(body).digest().subarray(0, macLength);

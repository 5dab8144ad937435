import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { AttemptLimit, Attempts } from "./attempts.ts";
import type { KnownDevices } from "./known-devices.ts";

const quarterOfAnHour = 900;
const hour = 3_600;
const limits = {
  signInFromNetwork: { limit: 100, windowSeconds: quarterOfAnHour },
  signInOfAccountFromNetwork: { limit: 10, windowSeconds: quarterOfAnHour },
  signInOfAccountFromDevices: { limit: 20, windowSeconds: quarterOfAnHour },
  signInOfAccount: { limit: 100, windowSeconds: hour },
  linkFromNetwork: { limit: 100, windowSeconds: quarterOfAnHour },
  passwordOfLink: { limit: 10, windowSeconds: quarterOfAnHour },
  passwordOfSession: { limit: 10, windowSeconds: quarterOfAnHour },
  mailFromNetwork: { limit: 30, windowSeconds: hour },
  mailToBoxFromNetwork: { limit: 5, windowSeconds: hour },
  mailToBox: { limit: 20, windowSeconds: hour },
  codeOfAccountFromNetwork: { limit: 5, windowSeconds: quarterOfAnHour },
  codeOfAccountFromDevices: { limit: 10, windowSeconds: quarterOfAnHour },
  codeOfAccount: { limit: 20, windowSeconds: hour },
  challengeFromNetwork: { limit: 100, windowSeconds: quarterOfAnHour },
  exportOfAccount: { limit: 5, windowSeconds: hour },
  once: { limit: 1, windowSeconds: 600 },
  deviceMail: { limit: 1, windowSeconds: 600 },
} as const satisfies Record<string, AttemptLimit>;

/** The client of a request, with its address and user agent. `headers` contain the cookies. */
export interface Client {
  author: {
    clientAddress: string;
    userAgent: string;
    /** The id of the person, if the person acts as an organisation. */
    personId?: number;
  };
  headers: Headers;
}

/** The network of a client. All clients in one network share limits. */
export const networkOf = ({ author }: Pick<Client, "author">): string => clientNetwork(author.clientAddress);

/**
 * The limits of sign-ins, passwords, codes, passkeys, mails, links and exports. The limit of the network is checked
 * first, so that a flood from one network is refused before any work. Strangers cannot lock out the owner: attempts
 * count by account and network, and the limit over all networks exempts the account's known devices. The limits are the
 * same for registered and unregistered addresses.
 */
export class AccountLimits {
  readonly #attempts: Attempts;
  readonly #devices: KnownDevices;

  constructor(attempts: Attempts, devices: KnownDevices) {
    this.#attempts = attempts;
    this.#devices = devices;
  }

  /** Counts a sign-in with a password. Returns whether it comes from a known device of the account. */
  async countSignIn(email: string, client: Client, findPasswordHash: () => Promise<string | null>): Promise<boolean> {
    const network = networkOf(client);
    if (await this.#devices.recognizes(email, client.headers, findPasswordHash)) {
      // Known devices have separate limits, which strangers in the same network cannot use up.
      await this.#attempts.count(`sign-in of known devices from ${network}`, limits.signInFromNetwork);
      await this.#attempts.count(`sign-in of known devices of ${email}`, limits.signInOfAccountFromDevices);
      return true;
    }
    await this.#attempts.count(`sign-in from ${network}`, limits.signInFromNetwork);
    await this.#attempts.count(signInOf(email, network), limits.signInOfAccountFromNetwork);
    await this.#attempts.count(`sign-in of ${email}`, limits.signInOfAccount);
    return false;
  }

  /**
   * Counts an authenticator code that was sent with the right password. Known devices have a separate limit, which
   * strangers who know the password cannot use up.
   */
  async countCode({ email, isKnownDevice }: { email: string; isKnownDevice: boolean }, client: Client): Promise<void> {
    if (isKnownDevice)
      return this.#attempts.count(`codes of known devices of ${email}`, limits.codeOfAccountFromDevices);
    await this.#attempts.count(`codes of ${email} from ${networkOf(client)}`, limits.codeOfAccountFromNetwork);
    await this.#attempts.count(`codes of ${email}`, limits.codeOfAccount);
  }

  /** Resets the count of wrong codes from this client. Call this after a right code. */
  async forgetCodes(
    { email, isKnownDevice }: { email: string; isKnownDevice: boolean },
    client: Client,
  ): Promise<void> {
    await this.#attempts.forget(
      isKnownDevice ? `codes of known devices of ${email}` : `codes of ${email} from ${networkOf(client)}`,
    );
  }

  /** Whether to mail the owner about wrong codes. Counts the mail. */
  admitsCodeMail(email: string): Promise<boolean> {
    return this.#attempts.admits(`code mail to ${email}`, limits.deviceMail);
  }

  /** Counts a sign-in with a passkey, or a request for a challenge. */
  countPasskey(client: Client): Promise<void> {
    return this.#attempts.count(`passkeys from ${networkOf(client)}`, limits.challengeFromNetwork);
  }

  countExport(userId: number): Promise<void> {
    return this.#attempts.count(`exports of account ${userId}`, limits.exportOfAccount);
  }

  /** Counts a use of a challenge. Returns false if the challenge was used in the last ten minutes. */
  isFirstUse(challenge: string): Promise<boolean> {
    return this.#attempts.admits(`challenge ${challenge}`, limits.once);
  }

  /** Counts a sign-in to the demo account, which has no password. */
  countOpenSignIn(client: Client): Promise<void> {
    return this.#attempts.count(`sign-in from ${networkOf(client)}`, limits.signInFromNetwork);
  }

  /** Resets the count of an account's wrong passwords from this network. Call this after a right password. */
  forgetSignIns(email: string, client: Client): Promise<void> {
    return this.#attempts.forget(signInOf(email, networkOf(client)));
  }

  /**
   * Counts a registration, which can send a mail to any address. Addresses that differ only in a label after `+` share
   * the limit of one mailbox.
   */
  async countRegistration(email: string, client: Client): Promise<void> {
    const network = networkOf(client);
    const mailbox = email.replace(/^([^+]*)\+.*@/s, "$1@");
    await this.#attempts.count(`mails for ${network}`, limits.mailFromNetwork);
    await this.#attempts.count(`mails to ${mailbox} for ${network}`, limits.mailToBoxFromNetwork);
    await this.#attempts.count(`mails to ${mailbox}`, limits.mailToBox);
  }

  /** Counts a request for a new password by network. A limit by account would let strangers lock out the owner. */
  async countResetRequest(client: Client): Promise<void> {
    await this.#attempts.count(`mails for ${networkOf(client)}`, limits.mailFromNetwork);
  }

  /** Whether to mail the owner about a new device. Counts the mail. */
  admitsDeviceMail(email: string): Promise<boolean> {
    return this.#attempts.admits(`device mail to ${email}`, limits.deviceMail);
  }

  /** Counts a use of a mailed link. */
  countLink(client: Client): Promise<void> {
    return this.#attempts.count(`opening of links from ${networkOf(client)}`, limits.linkFromNetwork);
  }

  /** Counts a password that was sent with the mailed link of a registration. */
  countLinkPassword(email: string): Promise<void> {
    return this.#attempts.count(`registration of ${email}`, limits.passwordOfLink);
  }

  /** Counts a password that a signed-in person sends. */
  countSessionPassword(userId: number): Promise<void> {
    return this.#attempts.count(`password of account ${userId}`, limits.passwordOfSession);
  }

  /** Resets the count of passwords of a signed-in person. Call this after a right password. */
  forgetSessionPasswords(userId: number): Promise<void> {
    return this.#attempts.forget(`password of account ${userId}`);
  }
}

const signInOf = (email: string, network: string): string => `sign-in of ${email} from ${network}`;

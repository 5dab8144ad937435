import { totpCode } from "@beatmarket/authentication/totp.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import type { Mail } from "@beatmarket/mail/mailer.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import type { Response } from "light-my-request";
import { permissions } from "../../src/access/roles.ts";
import { stepUpChallenge } from "../../src/portal/step-up.ts";
import { publicUrl, type TestApi, type TestApiOptions, testApi } from "./api.ts";
import { hashPasswordsCheaply } from "./cheap-passwords.ts";
import type { TestDatabase } from "./database/driver.ts";
import { expectDocumented } from "./documents/portal-document.ts";

export const testPassword = "correct horse battery staple";

/** Calls the portal's routes like a page: from the site's origin, with the cookies of one visitor. */
export interface Visitor {
  /** The Cookie header. Empty before a sign-in. */
  cookie(): string;
  get(path: string): Promise<Response>;
  /** Sends a call that changes something. `headers` override the defaults. */
  send(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

/** A visitor who is signed in. */
export interface SignedInVisitor extends Visitor {
  userId: number;
  email: string;
  /** Adds an authenticator. Every later sign-in of the visitor uses one of its recovery codes. */
  addAuthenticator(): Promise<void>;
  /** Returns the next recovery code; undefined without an authenticator. */
  nextCode(): string | undefined;
}

export interface TestPortal {
  api: TestApi;
  database: TestDatabase;
  /** The sent mails, newest last. */
  mails: Mail[];
  /** A visitor who is not signed in, at a network address. */
  visitor(address?: string): Visitor;
  /**
   * Registers an account with the mailed link, and signs it in. If a page would ask for the password again, the visitor
   * enters it.
   */
  signUp(email?: string, name?: string, address?: string): Promise<SignedInVisitor>;
}

/**
 * The portal on a database of the test file, called without a network. Password hashes are cheap in the whole test
 * file.
 */
export async function testPortal(options: TestApiOptions = {}): Promise<TestPortal> {
  hashPasswordsCheaply();
  const mails: Mail[] = [];
  const api = await testApi({
    ...options,
    mailer: options.mailer ?? {
      send: async (mail) => {
        mails.push(mail);
      },
    },
  });
  let accounts = 0;
  const portal: TestPortal = {
    api,
    database: api.database,
    mails,
    visitor: (address) => visitorOf(api, address),
    signUp: async (email = `developer-${++accounts}@example.com`, name = "Ada Developer", address) => {
      const visitor = visitorOf(api, address);
      await visitor.send("POST", "/auth/register", { email, name, password: testPassword });
      const token = await mailedToken(mails, email);
      const confirmed = await visitor.send("POST", "/auth/confirm", { token, password: testPassword });
      if (confirmed.statusCode !== 204) throw new Error(`The registration was not confirmed: ${confirmed.body}`);
      const { user_id } = (await visitor.get("/session")).json().account;
      const codes: string[] = [];
      const nextCode = () => codes.pop();
      const send: Visitor["send"] = async (...call) => {
        const response = await visitor.send(...call);
        if (response.headers["www-authenticate"] !== stepUpChallenge) return response;
        const code = nextCode();
        const password = { email, password: testPassword };
        await visitor.send("POST", "/auth/sign-in", code === undefined ? password : { ...password, code });
        return visitor.send(...call);
      };
      const addAuthenticator = async () => {
        const proposal = (await send("POST", "/account/authenticator/proposals")).json();
        const { secret, proof, recovery_codes } = proposal;
        const code = totpCode(secret, Math.floor((options.clock ?? systemClock).nowMs() / 30_000));
        const added = await send("POST", "/account/authenticator", { secret, proof, recovery_codes, code });
        if (added.statusCode !== 204) throw new Error(`The authenticator was not added: ${added.body}`);
        codes.push(...recovery_codes);
      };
      return { ...visitor, send, userId: user_id, email, addAuthenticator, nextCode };
    },
  };
  return portal;
}

/**
 * Creates an API key in two steps, like the portal's pages: proposal and creation. `request` overrides the defaults: a
 * name, all permissions, no expiry. Returns the response to the creation or, if the proposal is refused, that refusal.
 */
export function makeKey(visitor: Pick<Visitor, "send">, request: object = {}, headers = {}): Promise<Response> {
  const key = { name: "Website", permissions, expires_in_days: null, ...request };
  return withProposedKey(visitor, (proposed) => visitor.send("POST", "/keys", { proposed, ...key }, headers), headers);
}

/** Rotates an API key in two steps, like the portal's pages. A refusal of the proposal is returned. */
export const rotateKey = (visitor: Pick<Visitor, "send">, id: number, overlapHours: number): Promise<Response> =>
  withProposedKey(visitor, (proposed) =>
    visitor.send("POST", `/keys/${id}/rotate`, { overlap_hours: overlapHours, proposed }),
  );

async function withProposedKey(
  { send }: Pick<Visitor, "send">,
  use: (proposed: object) => Promise<Response>,
  headers = {},
): Promise<Response> {
  const proposal = await send("POST", "/keys/proposals", undefined, headers);
  return proposal.statusCode === 201 ? use(proposal.json()) : proposal;
}

const takenTokens = new Set<string>();
/** The number of polls for a newer link. After them, a link that was returned earlier is returned again. */
const maxAttempts = 25;

/** The token of the newest link that was mailed to an address. Waits, because a mail may still be on its way. */
export async function mailedToken(mails: readonly Mail[], email: string): Promise<string> {
  let attempts = 0;
  const link = () =>
    /#(\S+)/.exec(mails.findLast(({ to, text }) => to === email && text.includes("#"))?.text ?? "")?.[1];
  await until(() => link() !== undefined && (!takenTokens.has(link() ?? "") || ++attempts > maxAttempts));
  const token = link() ?? "";
  takenTokens.add(token);
  return token;
}

function visitorOf(api: TestApi, remoteAddress = "127.0.0.1"): Visitor {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await api.request({
      method: method as "GET",
      url: `/portal/api${path}`,
      remoteAddress,
      headers: { origin: publicUrl, ...(jar.size > 0 && { cookie: cookie() }), ...headers },
      ...(body !== undefined && { payload: body }),
    });
    for (const { name, value, maxAge } of response.cookies as { name: string; value: string; maxAge?: number }[])
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    expectDocumented(method, path, response);
    return response;
  };
  return { cookie, get: (path) => call("GET", path), send: call };
}

import type { Clock } from "@beatmarket/foundation/clock.ts";
import { betterAuth } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import type { Queryable } from "../../database/connect.ts";
import { maxPasswordLength, minPasswordLength } from "./password-hashing.ts";
import { cookiePrefix, sessionIdleSeconds } from "./sessions.ts";

export interface AuthSettings {
  /** The origin of the portal, without a trailing slash. */
  publicUrl: string;
  /** The first signs session cookies; those that the others signed are valid too. The same on every instance. */
  secrets: () => SessionSecrets;
}

export type SessionSecrets = readonly [current: string, ...previous: string[]];

export type PortalAuth = ReturnType<typeof portalAuth>;

/**
 * Better Auth over a pool or one transaction. Hashes passwords (scrypt), manages sessions and their cookies. Its own HTTP routes
 * are not served; our routes call it, so that all share one error format and one throttle.
 */
export function portalAuth(
  db: Queryable,
  clock: Clock,
  { publicUrl, secrets: [secret, ...previous] }: { publicUrl: string; secrets: SessionSecrets },
) {
  return betterAuth({
    appName: "Beat Marketplace",
    baseURL: publicUrl,
    basePath: "/portal/api/auth",
    secret,
    database: { db: db as never, type: "postgres", transaction: !db.isTransaction },
    user: {
      modelName: "portal_users",
      fields: { emailVerified: "email_verified", ...times },
      additionalFields: {
        marketplaceUserId: { type: "number", required: true, input: false, fieldName: "user_id" },
      },
    },
    account: {
      modelName: "portal_credentials",
      fields: {
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
    },
    session: {
      modelName: "portal_sessions",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      additionalFields: {
        isNewDevice: { type: "boolean", required: false, input: false, fieldName: "new_device" },
        hasSecondFactor: { type: "boolean", required: false, input: false, fieldName: "second_factor" },
        actingAs: { type: "number", required: false, input: false, fieldName: "acting_as" },
      },
      expiresIn: sessionIdleSeconds,
      // Also how exactly the list of sessions says when one was used last.
      updateAge: 600,
    },
    // Every sign-in makes a session, so its age is that of the last authentication: by the clock that we compare it with.
    databaseHooks: {
      session: {
        create: { before: async (session) => ({ data: { ...session, createdAt: new Date(clock.nowMs()) } }) },
      },
    },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength, maxPasswordLength },
    advanced: {
      // It would put `__Secure-` before our prefix.
      useSecureCookies: false,
      cookiePrefix,
      defaultCookieAttributes: { secure: true, sameSite: "strict" },
      // It would trust any X-Forwarded-For. Audit entries record the address that we determined.
      ipAddress: { disableIpTracking: true },
      database: { validateSchema: false },
    },
    plugins: [sessionOpener(), ...(previous.length === 0 ? [] : [cookieSigner(secret, previous)])],
    // portal/auth/attempts.ts counts over all instances, by account too.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

const times = { createdAt: "created_at", updatedAt: "updated_at" };

interface OpenSessionBody {
  accountId: string;
  /** What begins it. */
  device: {
    ipAddress: string;
    userAgent: string;
    isNewDevice: boolean;
    hasSecondFactor: boolean;
    actingAs: number | null;
  };
}

// Better Auth takes validators of the Standard Schema form; only we call this endpoint, so there is nothing to check.
const openSessionBody = {
  "~standard": {
    version: 1,
    vendor: "beatmarket",
    validate: (value: unknown) => ({ value: value as OpenSessionBody }),
    types: undefined as unknown as { input: OpenSessionBody; output: OpenSessionBody },
  },
} as const;

/** Opens a session for an account that was authenticated. */
const sessionOpener = () => ({
  id: "session-opener",
  endpoints: {
    openSession: createAuthEndpoint("/open-session", { method: "POST", body: openSessionBody }, async (context) => {
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(context.body.accountId);
      if (user === null) throw new Error("A session was asked for an account that does not exist.");
      const session = await internalAdapter.createSession(user.id, false, context.body.device, true);
      await setSessionCookie(context, { session, user });
      return context.json({ token: session.token });
    }),
  },
});

/** Signs a session cookie that a previous secret signed again, for the call that it came with and for the browser. */
const cookieSigner = (secret: string, previous: readonly string[]) => ({
  id: "cookie-signer",
  hooks: {
    before: [
      {
        matcher: ({ headers }: { headers?: Headers }) => headers?.has("cookie") ?? false,
        handler: createAuthMiddleware(async (context) => {
          const { authCookies, sessionConfig } = context.context;
          const { name, attributes } = authCookies.sessionToken;
          for (const former of previous) {
            const token = await context.getSignedCookie(name, former);
            if (!token) continue;
            const maxAge = sessionConfig.expiresIn;
            const setCookie = await context.setSignedCookie(name, token, secret, { ...attributes, maxAge });
            const others = (context.headers?.get("cookie") ?? "")
              .split(";")
              .filter((pair) => !pair.trim().startsWith(`${name}=`));
            const headers = new Headers(context.headers);
            headers.set("cookie", [...others, setCookie.split(";")[0]].join(";"));
            return { context: { headers } };
          }
          return undefined;
        }),
      },
    ],
  },
});

import { AccessWatch } from "@beatmarket/http/admission/access-watch.ts";
import { BadKeyThrottle } from "@beatmarket/http/admission/bad-key-throttle.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { type LoadRecent, MemoryRateLimitStore } from "@beatmarket/http/rate-limit/memory-store.ts";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import { Admission } from "../../access/admission.ts";
import { bucketAt } from "../../access/caller.ts";
import { IdempotencyKeys } from "../../access/idempotency.ts";
import { allWindows } from "../../access/plans.ts";
import { Accounts } from "../../portal/auth/accounts.ts";
import { Attempts } from "../../portal/auth/attempts.ts";
import { MailQueue } from "../../portal/auth/mail-queue.ts";
import { explorerCaller } from "../../portal/explorer/explorer-caller.ts";
import { CallerCache } from "../../resources/api-keys/caller-cache.ts";
import { openTemplatedMailer } from "../../resources/mails/templated-mailer.ts";
import { admittedSince } from "../../resources/request-log/queries.ts";
import { RequestLog } from "../../resources/request-log/request-log.ts";
import { WebhookNotices } from "../../resources/webhooks/monitoring/notices.ts";
import type { ServiceScope } from "./scope.ts";

/**
 * The limit of an account's changes of any kind: more than a person makes by hand, and too few to fill the database or
 * flood a receiver.
 */
const changeLimit = { limit: 120, windowSeconds: 60 };

/** Opens keys, sessions, limits, and the request log from which the limits are refilled. */
export async function openAdmission(scope: ServiceScope) {
  const { config, database, clock, logger, portal, waits, resources } = scope;
  const db = database.query;
  const accessWatch = new AccessWatch(clock);
  await accessWatch.follow(database.listener);
  waits.defer(() => accessWatch.stop());
  const notices = new WebhookNotices(database, logger);
  await notices.start();
  resources.defer(() => notices.stop());
  const requestLog = new RequestLog(database, clock, logger, { maxBytes: config.requestLogMaxMb * 1_000_000 });
  resources.defer(() => requestLog.stop());
  const badKeys = new BadKeyThrottle(clock);
  const callers = new CallerCache(db, clock, logger, { isThrottled: (address) => badKeys.isThrottled(address) });
  resources.defer(() => callers.close());
  const mailer = await openTemplatedMailer(portal.mailer, config.mails);
  const mailQueue = new MailQueue(mailer, logger, clock);
  resources.defer(() => mailQueue.drain());
  const attempts = new Attempts(db, clock);
  const accounts = new Accounts({
    db,
    clock,
    settings: {
      publicUrl: config.publicUrl,
      siteName: config.site.name,
      secrets: () => portal.webhooks.secrets.sessionSecrets,
    },
    attempts,
    mailQueue,
    secrets: portal.webhooks.secrets,
  });
  const { rateLimits, sharedLimits } = await openRateLimits(scope, requestLog);
  const concurrency = new ConcurrencyLimiter();
  const admission = new Admission({
    callers,
    findExplorerCaller: explorerCaller({
      db,
      clock,
      findAccount: (headers) => accounts.find(headers, () => {}),
      publicUrl: config.publicUrl,
    }),
    sessions: {
      find: (headers, setCookies) => accounts.find(headers, setCookies),
      countChange: ({ personId }) => attempts.count(`changes of account ${personId}`, changeLimit),
    },
    rateLimits,
    badKeys,
    concurrency,
    noticeFor: (userId) => notices.noticeFor(userId),
  });
  return {
    accessWatch,
    notices,
    requestLog,
    badKeys,
    callers,
    mailQueue,
    attempts,
    accounts,
    rateLimits,
    sharedLimits,
    concurrency,
    admission,
    idempotencyKeys: new IdempotencyKeys(db, clock),
  };
}

/** Opens the limits in Redis where it is configured, else in memory. `sharedLimits` is null without Redis. */
async function openRateLimits({ config, database, clock, logger, resources }: ServiceScope, requestLog: RequestLog) {
  const parts = {
    windows: allWindows,
    clock,
    loadRecent: (async (bucket, sinceMs, atMost) => {
      // Calls that this process admitted may be evicted from its limits, so the log must have them first.
      await requestLog.flush();
      return admittedSince(database.query, bucketAt(bucket), sinceMs, atMost);
    }) as LoadRecent,
    log: logger,
  };
  const address = config.redisUrl === undefined ? null : redisAddress(config.redisUrl);
  if (address === null) return { rateLimits: new MemoryRateLimitStore(parts), sharedLimits: null };
  // Loaded on demand, since most servers never use Redis.
  const { RedisRateLimitStore } = await import("@beatmarket/http/rate-limit/redis-store.ts");
  const sharedLimits = new RedisRateLimitStore({ ...parts, address });
  resources.defer(() => sharedLimits.stop());
  await sharedLimits.start();
  return { rateLimits: sharedLimits, sharedLimits };
}

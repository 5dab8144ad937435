import { durationText } from "@beatmarket/http/input/durations.ts";
import type { Advance, CreatedSandbox, SandboxState, TestEventSubject } from "./control.ts";
import { idleDays } from "./limits.ts";

const sandboxJson = ({ id, seed, catalogue, now, baseUrl, created_at, used_at }: SandboxState) => ({
  id,
  seed,
  catalogue,
  now: now.toISOString(),
  base_url: baseUrl,
  created_at: created_at.toISOString(),
  expires_at: new Date(used_at.getTime() + idleDays * 86_400_000).toISOString(),
});

export const sandboxReference = (sandbox: SandboxState) => ({ sandbox: sandboxJson(sandbox) });

export const newSandboxReference = (sandbox: CreatedSandbox) => ({
  sandbox: { ...sandboxJson(sandbox), api_key: sandbox.apiKey, webhook_secret: sandbox.webhookSecret },
});

export const sandboxesReference = (sandboxes: readonly SandboxState[]) => ({ sandboxes: sandboxes.map(sandboxJson) });

export const advanceReference = ({ sandbox, advance }: { sandbox: SandboxState; advance: Advance }) => ({
  advance: {
    sandbox: sandboxJson(sandbox),
    is_complete: advance.leftMs === 0,
    remaining: durationText(advance.leftMs),
    orders: advance.orders,
    refunds: advance.refunds,
    disputes: advance.disputes,
    payouts: advance.payouts,
  },
});

export const testEventReference = ({ type, ...subject }: TestEventSubject & { type: string }) => ({
  test_event: {
    type,
    ...(subject.orderId !== undefined && { order_id: subject.orderId }),
    ...(subject.licenseId !== undefined && { license_id: subject.licenseId }),
    ...(subject.beatId !== undefined && { beat_id: subject.beatId }),
    ...(subject.uploadId !== undefined && { upload_id: subject.uploadId }),
    ...(subject.payoutId !== undefined && { payout_id: subject.payoutId }),
    ...(subject.userId !== undefined && { user_id: subject.userId }),
  },
});

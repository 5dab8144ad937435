import type { RateWindow } from "@beatmarket/http/rate-limit/store.ts";

export const planNames = ["standard", "plus", "partner", "internal"] as const;
export type PlanName = (typeof planNames)[number];

const windows = (perMinute: number, perHour: number, perDay: number): readonly RateWindow[] => [
  { name: "minute", seconds: 60, limit: perMinute },
  { name: "hour", seconds: 3_600, limit: perHour },
  { name: "day", seconds: 86_400, limit: perDay },
];

/** The limits of each plan, shortest window first (docs/api/limits.md, Plans). Internal has no limit. */
export const plans: Readonly<Record<PlanName, readonly RateWindow[]>> = {
  standard: windows(10, 100, 1_000),
  plus: windows(100, 1_000, 10_000),
  partner: windows(1_000, 20_000, 200_000),
  internal: [],
};

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(plans, name);

/** The windows of all plans. */
export const allWindows = Object.values(plans).flat();

import type { WindowState } from "@beatmarket/http/rate-limit/store.ts";
import Type, { type Static } from "typebox";

/** The use of one window of a key's limits. */
export const LimitWindow = Type.Object(
  {
    name: Type.Enum(["minute", "hour", "day"]),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    resets_in_seconds: Type.Integer({ description: "Until the window next frees a request." }),
  },
  { $id: "LimitWindow", additionalProperties: false },
);

export const limitWindow = (
  { window, remaining, resetAtMs }: WindowState,
  nowMs: number,
): Static<typeof LimitWindow> => ({
  name: window.name,
  limit: window.limit,
  remaining,
  resets_in_seconds: Math.max(0, Math.ceil((resetAtMs - nowMs) / 1000)),
});

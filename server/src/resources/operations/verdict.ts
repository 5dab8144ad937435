/** `unused`: the deployment does without. `unchecked`: another check has to pass first. */
type CheckState = "ok" | "warning" | "wrong" | "unused" | "unchecked";

export interface Verdict {
  state: CheckState;
  /** What was found, as a sentence. */
  detail: string;
  /** What to do, as a sentence; null with nothing to do, or where the detail says it. */
  remedy: string | null;
}

export const ok = (detail: string): Verdict => ({ state: "ok", detail, remedy: null });
export const unused = (detail: string): Verdict => ({ state: "unused", detail, remedy: null });
export const warning = (detail: string, remedy: string): Verdict => ({ state: "warning", detail, remedy });
export const wrong = (detail: string, remedy: string | null): Verdict => ({ state: "wrong", detail, remedy });

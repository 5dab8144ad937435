import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";

// The states of a beat, named as in the API: the rules, their storage in the tables, and the table of the documentation
// (docs/publishing.md, States of a beat). The exclusive license has its own states (licensing/exclusive.ts). Pure.

/**
 * The statuses that a beat's producer sees. A beat whose exclusive license is sold stays `published`, though no list
 * contains the beat.
 */
export const beatStatuses = ["draft", "processing", "published", "withdrawn"] as const;
export type BeatStatus = (typeof beatStatuses)[number];

/** `none`: the beat does not exist. */
interface Transition {
  from: BeatStatus | "none";
  to: BeatStatus | "none";
  cause: string;
}

export const transitions: readonly Transition[] = [
  { from: "none", to: "draft", cause: "`POST /beats`" },
  { from: "none", to: "published", cause: "an import" },
  { from: "draft", to: "processing", cause: "its producer publishes it" },
  { from: "draft", to: "none", cause: "its producer deletes it, or the account is erased" },
  { from: "processing", to: "published", cause: "its files are ready" },
  {
    from: "processing",
    to: "draft",
    cause: "its producer takes it back, or publishing fails, of a beat that was never published",
  },
  {
    from: "processing",
    to: "withdrawn",
    cause: "its producer takes it back, or publishing fails, of a beat that was published before",
  },
  {
    from: "processing",
    to: "none",
    cause: "its producer deletes it, or the account is erased, of a beat that was never published",
  },
  { from: "published", to: "published", cause: "its new files are ready, or its exclusive license is sold" },
  {
    from: "published",
    to: "withdrawn",
    cause: "its producer or an operator withdraws it, an operator takes it down, or the account is suspended or erased",
  },
  { from: "withdrawn", to: "processing", cause: "its producer publishes it again" },
  {
    from: "withdrawn",
    to: "published",
    cause: "an imported beat is published again by its producer or an operator, or the suspension or the takedown ends",
  },
  { from: "published", to: "none", cause: "an operator deletes the beats of a source" },
  { from: "withdrawn", to: "none", cause: "an operator deletes the beats of a source" },
];

/** How the tables store each status: `beats.is_listed` and `beat_productions.stage`. */
export const stored = {
  draft: { is_listed: false, stage: "draft" },
  /** A published beat stays listed while its new files are processed, and its status stays `published`. */
  processing: { stage: "processing" },
  published: { is_listed: true, stage: "released" },
  withdrawn: { is_listed: false, stage: "released" },
} as const satisfies Record<BeatStatus, { is_listed?: boolean; stage: string }>;

export type Stage = (typeof stored)[BeatStatus]["stage"];

/** The columns that determine a beat's state. `production` is null for an imported beat that was never edited. */
export interface StoredState {
  is_listed: boolean;
  /** Set by an operator. The beat is then `withdrawn`, and its producer cannot publish it. */
  is_taken_down: boolean;
  exclusive_state: string;
  production: { stage: Stage; was_published: boolean; rejection: string | null } | null;
}

export type ShownState = Pick<StoredState, "is_listed" | "is_taken_down" | "exclusive_state">;

/**
 * Whether everyone may see the beat: it is listed, or was listed until its exclusive license was sold. A beat that is
 * taken down is never shown.
 */
export const isShown = ({ is_listed, is_taken_down, exclusive_state }: ShownState): boolean =>
  is_listed || (exclusive_state === "sold" && !is_taken_down);

export function statusOf(state: StoredState): BeatStatus {
  if (isShown(state)) return "published";
  if (state.is_taken_down) return "withdrawn";
  const stage = state.production?.stage ?? stored.withdrawn.stage;
  return stage === stored.withdrawn.stage ? "withdrawn" : stage;
}

/** `isShown` as SQL, for rows of `beats`. */
export const shownSql = "(is_listed or (exclusive_state = 'sold' and not is_taken_down))";

/** `statusOf` as SQL, for rows of `beats` joined with `beat_productions`. */
export const statusSql = `(case
  when ${shownSql} then 'published'
  when is_taken_down then 'withdrawn'
  when stage in ('draft', 'processing') then stage
  else 'withdrawn' end)`;

/** Whether the beat was ever published. If not, only its producer may know that it exists. */
export const wasPublished = ({ production }: Pick<StoredState, "production">): boolean =>
  production === null || production.was_published;

/**
 * Throws unless the two states have one status, or `transitions` has the change of status. `after` is null for a beat
 * that is deleted.
 */
export function requireTransition(before: StoredState, after: StoredState | null): void {
  const from = statusOf(before);
  const to = after === null ? "none" : statusOf(after);
  const isAllowed = from === to || transitions.some((transition) => transition.from === from && transition.to === to);
  if (!isAllowed) throw new Error(`A beat cannot go from ${from} to ${to} (docs/publishing.md, States of a beat).`);
}

/** The status whose `stage` a beat gets after its publishing failed. A listed beat stays `published`. */
export const afterFailure = (state: StoredState): "draft" | "withdrawn" =>
  wasPublished(state) ? "withdrawn" : "draft";

export interface StatusChange {
  beatId: number;
  /** The status that the producer requests. */
  requested: "draft" | "published" | undefined;
  /** Whether the beat has an upload of its audio after the edit. Only imported beats have none. */
  hasAudio: boolean;
  /** Whether the edit changes the audio, cover, stems or preview tag. */
  hasNewFiles: boolean;
}

/**
 * The status that an edit writes; null if it writes none. `processing` for a published beat means that its new files
 * are processed while the beat stays on sale. Throws 409 for a status that the beat cannot have, and 400 for new files
 * of an imported beat without its audio.
 */
export function statusAfterEdit(
  state: StoredState,
  { beatId, requested, hasAudio, hasNewFiles }: StatusChange,
): "draft" | "processing" | "published" | null {
  const status = statusOf(state);
  if (requested === "draft") {
    if (wasPublished(state))
      throw conflict(`Beat ${beatId} has been on sale, so it cannot be a draft again; DELETE withdraws it.`);
    return status === "processing" ? "draft" : null;
  }
  if (state.is_taken_down && requested === "published")
    throw conflict(
      `Beat ${beatId} was taken down by the operator of this marketplace, so it cannot be published. Its page in the studio says why, and takes your answer.`,
    );
  const isPublishing = status === "published" || status === "processing";
  if (!isPublishing && requested !== "published") return null;
  const isRejected = (state.production?.rejection ?? null) !== null;
  const isRetry = requested === "published" && isRejected && state.exclusive_state !== "sold";
  if (isPublishing && !hasNewFiles && !isRetry) return null;
  if (hasAudio) return "processing";
  if (!hasNewFiles) return "published";
  throw invalidRequest(
    `The audio field is required: beat ${beatId} was imported, so no upload of its audio can be published with the new files.`,
    "audio",
  );
}

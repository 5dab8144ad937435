import { valuesOfFileName } from "@beatmarket/audio/analysis/file-name-values.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { findFrozenReason } from "../../resources/beats/licensing/exclusive.ts";
import { LicenseSettings } from "../../resources/beats/licensing/settings.ts";
import { singleBeatReference } from "../../resources/beats/present.ts";
import { editVersionOf, type SingleBeat } from "../../resources/beats/production.ts";
import { DraftDefaults } from "../../resources/beats/publishing/draft-defaults.ts";
import { isUpload, mediaOf } from "../../resources/beats/publishing/read-fields.ts";
import { ReferenceBeatDetail } from "../../resources/beats/schema.ts";
import { beatStatuses } from "../../resources/beats/state.ts";
import { listNoticed, type Report, reportReasons, reportStates } from "../../resources/reports/report.ts";
import { findTakedown } from "../../resources/takedowns/takedowns.ts";
import { StorageUseSchema, UploadSchema, uploadFields } from "../../resources/uploads/present.ts";
import { findUploads } from "../../resources/uploads/queries.ts";
import type { Upload } from "../../resources/uploads/upload.ts";

const closed = { additionalProperties: false };
const orNone = (schema: ReturnType<typeof Type.Object>, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = Type.Integer({ minimum: 0 });

const Exclusive = Type.Enum(["available", "held", "sold"], {
  description: "The exclusive license. While it is held and after it is sold, the beat cannot change.",
});

/** An upload with the fields of the API, and two fields of the studio: `is_retriable` and `said`. */
const StudioUpload = Type.Object(
  {
    ...UploadSchema.properties,
    is_retriable: Type.Boolean({
      description: "Whether the upload was rejected because of an error of the service. Another analysis may succeed.",
    }),
    said: Type.Object(
      {
        title: Type.String(),
        bpm: Type.Union([Type.Number(), Type.Null()]),
        key: Type.Union([Type.String(), Type.Null()]),
      },
      {
        ...closed,
        description: "The title, tempo and key in the file's name. A value that the name does not have is null.",
      },
    ),
  },
  { $id: "StudioUpload", ...closed },
);

export const StudioUploadResponse = Type.Object({ upload: StudioUpload }, closed);

export const StudioUploads = Type.Object(
  {
    uploads: Type.Array(StudioUpload, { description: "At most 100 uploads that no beat uses, the newest first." }),
    storage: StorageUseSchema,
  },
  closed,
);

const limit = Type.Union([Type.Integer(), Type.Null()], { description: "The limit. Null is any number." });
const clauseBounds = Type.Object({ standard: limit, lowest: limit, highest: limit }, closed);
const typeBounds = Type.Object(
  {
    copies: clauseBounds,
    streams: clauseBounds,
    videos: clauseBounds,
    radio_stations: clauseBounds,
    paid_performances: clauseBounds,
    years: clauseBounds,
  },
  closed,
);

/** The default licenses of a producer's beats. */
export const LicenseDefaults = Type.Object({
  license_settings: LicenseSettings,
  free_download: Type.Boolean(),
  apply_to_all: Type.Boolean({ default: false, description: "Whether to change the existing beats, too." }),
});
export const LicenseDefaultsResponse = Type.Object(
  {
    changed: Type.Integer({ description: "The number of beats that have these licenses now." }),
    frozen: Type.Array(Type.Integer(), {
      description: "The ids of the beats that stay as they are, because their exclusive license is held or sold.",
    }),
  },
  closed,
);

export const StudioOptions = Type.Object(
  {
    license_bounds: Type.Union(
      [
        Type.Object({ basic: typeBounds, premium: typeBounds, unlimited: typeBounds, exclusive: typeBounds }, closed),
        Type.Null(),
      ],
      {
        description:
          "The terms' limits of each license, and the range in which a producer may change them. Null where the terms have no limit.",
      },
    ),
    draft_defaults: DraftDefaults,
    genres: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          octave: Type.Union([Type.Object({ least: Type.Number(), most: Type.Number() }, closed), Type.Null()], {
            description:
              "The tempo range of the genre. Of a measured tempo, its half and its double, drafts take the one in the range. Null: drafts take the measured tempo.",
          }),
        },
        closed,
      ),
      { description: "The genres, ordered by name." },
    ),
    currency: Type.String({ description: "The currency of all prices, by ISO 4217." }),
    price_rule: Type.Object(
      {
        premium_percent: count,
        unlimited_percent: count,
        exclusive_percent: count,
        ending_cents: count,
      },
      {
        ...closed,
        description:
          "The price of a license without a price of its own: this percentage of the basic price, rounded up to the next price that ends in these cents.",
      },
    ),
  },
  closed,
);

const StudioTakedown = Type.Object(
  {
    reason: Type.String(),
    taken_down_at: Type.String({ format: "date-time" }),
    withdraws_files: Type.Boolean({ description: "Whether buyers can no longer download the beat's files." }),
    answer: Type.Union([Type.String(), Type.Null()], {
      description: "The account's answer to the takedown, which it can give once. Null without an answer.",
    }),
  },
  { $id: "StudioTakedown", ...closed },
);

const StudioReport = Type.Object(
  {
    id: Type.Integer(),
    reason: Type.Enum(Object.keys(reportReasons) as [keyof typeof reportReasons]),
    details: Type.Union([Type.String(), Type.Null()], {
      description: "What the reporter wrote. Null once it is erased.",
    }),
    state: Type.Enum([...reportStates]),
    counter_until: Type.String({ format: "date-time", description: "The account's deadline for its counter-notice." }),
    can_counter: Type.Boolean(),
    counter: Type.Union([Type.String(), Type.Null()], { description: "The account's counter-notice." }),
    decision: Type.Union([Type.String(), Type.Null()], {
      description: "The operator's reason. Null before the decision.",
    }),
  },
  { $id: "StudioReport", ...closed },
);

/** A beat with the fields that the API shows to its producer, and the additional fields of the studio. */
export const StudioBeat = Type.Object(
  {
    beat: ReferenceBeatDetail,
    tempo: Type.Number({
      minimum: 0,
      description: "The exact tempo, of which `bpm` is the rounded value. 0 while it is unknown.",
    }),
    exclusive: Exclusive,
    locked: Type.Union([Type.String(), Type.Null()], {
      description: "Why the beat cannot change now, as the error of a change would say. Null if it can.",
    }),
    takedown: orNone(StudioTakedown, "The takedown. Null unless an operator took the beat down."),
    reports: Type.Array(StudioReport, {
      description: "The reports of which the account got a notice, the newest first.",
    }),
    edit_version: Type.Integer({
      description:
        'The edit version: 1 for a new beat, and 1 more after each edit. `If-Match: "v7-"` matches version 7; what follows the hyphen in an `ETag` is not compared.',
    }),
    uploads: Type.Object(
      {
        audio: orNone(StudioUpload, "The recording. Null for an imported beat."),
        cover: orNone(StudioUpload, "The cover. Null if there is none."),
        stems: orNone(StudioUpload, "The stems. Null if there are none."),
        preview_tag: orNone(
          StudioUpload,
          "The producer's own tag. Null if the preview has the service's tag, or none.",
        ),
      },
      { ...closed, description: "The files of the beat." },
    ),
  },
  { $id: "StudioBeat", ...closed },
);

export const StudioBeatsQuery = Type.Object({
  status: Type.Optional(Type.Enum([...beatStatuses], { description: "Only beats with this status." })),
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: "The number of the page, from 1.",
  }),
});

export const StudioBeats = Type.Object(
  {
    beats: Type.Array(ReferenceBeatDetail, { description: "20 beats a page, the newest first." }),
    frozen: Type.Array(Type.Object({ beat_id: Type.Integer(), exclusive: Exclusive }, closed), {
      description: "The beats of this page that cannot change, because their exclusive license is held or sold.",
    }),
    taken_down: Type.Array(Type.Integer(), {
      description: "The ids of the beats of this page that an operator took down.",
    }),
    page: Type.Integer(),
    last_page: Type.Integer(),
    counts: Type.Object(
      { draft: count, processing: count, published: count, withdrawn: count },
      { ...closed, description: "The number of the account's beats with each status." },
    ),
  },
  closed,
);

// Presenters of the studio. They use the presenters of the API.

export const studioUpload = (upload: Upload) => ({
  ...uploadFields(upload),
  is_retriable: upload.is_retriable,
  said: valuesOfFileName(upload.filename),
});

/** A beat as `GET /v1/beats/{id}` returns it to its producer. */
export const ownBeat = (beat: SingleBeat, publicUrl: string) =>
  singleBeatReference({ beat, isOwn: true }, { publicUrl, path: "", query: "" }).beat;

const maxReports = 20;

function studioReport({ id, reason, details, state, counter_until, counter, decision }: Report, now: Date) {
  const until = counter_until ?? now;
  const canCounter = state === "notice_sent" && until > now;
  return {
    id,
    reason,
    details,
    state,
    counter,
    decision,
    counter_until: until.toISOString(),
    can_counter: canCounter,
  };
}

/** A beat in the form of `StudioBeat`. */
export async function studioBeat(
  db: Queryable,
  beat: SingleBeat,
  { publicUrl, now }: { publicUrl: string; now: Date },
) {
  const media = beat.production === null ? {} : await mediaOf(db, beat.id);
  const { audio_upload_id, cover_upload_id, stems_upload_id, preview_tag } = media;
  const ids = [audio_upload_id, cover_upload_id, stems_upload_id, preview_tag].filter(
    (id) => typeof id === "string" && isUpload(id),
  ) as string[];
  const uploads = await findUploads(db, beat.user_id, ids);
  const uploadOf = (id: string | null | undefined) => {
    const upload = uploads.get(id ?? "");
    return upload === undefined ? null : studioUpload(upload);
  };
  const locked = await findFrozenReason(db, beat.id, now);
  const takedown = beat.is_taken_down ? await findTakedown(db, beat.id) : undefined;
  return {
    beat: ownBeat(beat, publicUrl),
    tempo: beat.tempo,
    // A reservation expires by time. The row may be updated later, so `locked` decides.
    exclusive: locked === null ? ("available" as const) : beat.exclusive_state,
    locked,
    takedown:
      takedown === undefined
        ? null
        : {
            reason: takedown.reason,
            taken_down_at: takedown.taken_down_at.toISOString(),
            withdraws_files: takedown.withdraws_files,
            answer: takedown.answer,
          },
    reports: (await listNoticed(db, beat.id, maxReports)).map((report) => studioReport(report, now)),
    edit_version: editVersionOf(beat),
    uploads: {
      audio: uploadOf(audio_upload_id),
      cover: uploadOf(cover_upload_id),
      stems: uploadOf(stems_upload_id),
      preview_tag: uploadOf(preview_tag),
    },
  };
}

/** The daily plays and sales of a beat, for charts. */
export const BeatReach = Type.Object(
  {
    days: Type.Array(
      Type.Object(
        { day: Type.String({ format: "date" }), plays: Type.Integer(), sales: Type.Integer() },
        { additionalProperties: false },
      ),
      { description: "The last 30 days (UTC), the oldest first. The last one is today." },
    ),
  },
  { $id: "BeatReach", additionalProperties: false },
);

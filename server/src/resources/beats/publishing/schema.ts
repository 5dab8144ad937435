import { afterParameter, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type Static } from "typebox";
import { uploadIdPattern } from "../../uploads/upload.ts";
import { LicenseSettings } from "../licensing/settings.ts";
import { ConsoleBeatDetail, ReferenceBeatDetail } from "../schema.ts";
import { beatStatuses } from "../state.ts";

/** `price_cents` is a 32-bit integer. */
const price = { minimum: 0, maximum: 21_474_836.47, multipleOf: 0.01 };
const orNull = <Schema extends ReturnType<typeof Type.String>>(
  schema: Schema,
  options: { description?: string } = {},
) => Type.Union([schema, Type.Null()], options);

const title = Type.String({ minLength: 1, maxLength: 200, description: "The title of the beat." });
const genre = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Integer()], {
  description: "A genre of `GET /genres`, by its id or its name.",
});
const upload = (kind: string) =>
  Type.String({ maxLength: 26, pattern: uploadIdPattern, description: `The id of an upload of kind \`${kind}\`.` });
const money = Type.Number({
  ...price,
  description: "The price of the basic license in the currency's main unit, with at most two decimals.",
});
const licensePrices = Type.Object(
  {
    premium: Type.Optional(Type.Number(price)),
    unlimited: Type.Optional(Type.Number(price)),
    exclusive: Type.Optional(Type.Number(price)),
  },
  { additionalProperties: false },
);
const freeDownload = Type.Boolean({
  description: "Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use.",
});
const bpm = Type.Number({ minimum: 1, maximum: 999, multipleOf: 0.01 });
const key = Type.String({ minLength: 1, maxLength: 50, format: "musical-key" });
const description = Type.String({ minLength: 1, maxLength: 2_000, "x-multiline": true });
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 20,
  uniqueItems: true,
  description:
    "At most 20 tags, each with at most 50 characters and without a comma. Of tags that differ only in case, accents, spaces or punctuation, the first is stored.",
});
const previewTag = Type.String({
  maxLength: 26,
  pattern: `^(default|none|${uploadIdPattern.slice(1, -1)})$`,
  description:
    "The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no tag, and the id of an upload of kind `audio` is your own tag.",
});

const publishAt = Type.String({
  format: "date-time",
  maxLength: 40,
  description:
    "The time at which to publish the beat: in the future, within two years. Not together with `status` `published`.",
});

const descriptions = {
  bpm: "The tempo. Default: the result of the analysis.",
  key: "The musical key, such as `A minor`, `Am` or `8A`. Default: the result of the analysis.",
  licenses:
    "The prices of the other licenses. Default: twice, five and twenty times `price`, rounded up to end in 99 cents.",
};

/** The fields of a new beat (docs/api/beats.md, Create a beat). */
export const BeatFields = Type.Object(
  {
    title,
    genre,
    audio: upload("audio"),
    price: money,
    license_prices: Type.Optional({ ...licensePrices, description: descriptions.licenses }),
    license_settings: Type.Optional(LicenseSettings),
    free_download: Type.Optional(freeDownload),
    bpm: Type.Optional({ ...bpm, description: descriptions.bpm }),
    key: Type.Optional({ ...key, description: descriptions.key }),
    description: Type.Optional(description),
    tags: Type.Optional(tags),
    cover: Type.Optional(upload("cover")),
    stems: Type.Optional(upload("stems")),
    preview_tag: Type.Optional(previewTag),
    publish_at: Type.Optional(publishAt),
    status: Type.Enum(["draft", "published"], {
      default: "draft",
      description: "`published` puts the beat on sale as soon as its files are processed.",
    }),
  },
  { $id: "BeatFields" },
);
export type BeatFields = Static<typeof BeatFields>;

/** An absent field stays unchanged; null clears it (docs/api/beats.md, Change a beat). */
export const BeatChanges = Type.Object(
  {
    title: Type.Optional(title),
    genre: Type.Optional(genre),
    audio: Type.Optional(upload("audio")),
    price: Type.Optional(money),
    license_prices: Type.Optional(
      Type.Union([licensePrices, Type.Null()], {
        description: "The prices to change. Null derives all three from `price` again.",
      }),
    ),
    license_settings: Type.Optional(LicenseSettings),
    free_download: Type.Optional(freeDownload),
    bpm: Type.Optional(
      Type.Union([bpm, Type.Null()], { description: "The tempo. Null takes the result of the analysis." }),
    ),
    key: Type.Optional(orNull(key, { description: "The musical key. Null takes the result of the analysis." })),
    description: Type.Optional(orNull(description)),
    tags: Type.Optional(Type.Union([tags, Type.Null()])),
    cover: Type.Optional(orNull(upload("cover"))),
    stems: Type.Optional(orNull(upload("stems"))),
    preview_tag: Type.Optional(previewTag),
    publish_at: Type.Optional(
      orNull(publishAt, {
        description:
          "The time at which to publish a draft or a withdrawn beat: in the future, within two years. Null cancels it.",
      }),
    ),
    status: Type.Optional(
      Type.Enum(["draft", "published"], {
        description:
          "`published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was never on sale.",
      }),
    ),
  },
  { $id: "BeatChanges" },
);
export type BeatChanges = Static<typeof BeatChanges>;

export const OwnBeatsQuery = Type.Object({
  ...pageParameters(20, 100),
  status: Type.Optional(Type.Enum([...beatStatuses], { description: "Only beats with this status." })),
  ...afterParameter,
});

const response = { reference: Type.Object({ beat: ReferenceBeatDetail }), console: ConsoleBeatDetail };

export const OwnBeatResponse: ResponseSchemas = { status: 200, ...response };
export const BeatCreatedResponse: ResponseSchemas = { status: 201, ...response };
export const OwnBeatsResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ beats: Type.Array(ReferenceBeatDetail), pagination: ReferencePagination }),
  console: Type.Array(ConsoleBeatDetail),
  meta: true,
};

import { afterParameter, consoleMetaWith, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import {
  beatSorts,
  Facets,
  facetsParameter,
  fieldsParameter,
  filterParameters,
  idsParameter,
} from "./filters/parameters.ts";
import { consoleBeatFields, referenceFields } from "./present.ts";
import { analysisFields, detailFields, ownFields } from "./wire.ts";

export const BeatId = Type.Object({ beat_id: Type.Integer({ description: "Identifier of the beat." }) });

export const BeatsQuery = Type.Object({
  ...pageParameters(20, 100),
  ...filterParameters,
  sort: Type.Enum([...beatSorts], {
    default: "newest",
    description: "The order of the list. Every order ends with the id, so pages never overlap.",
  }),
  ...facetsParameter,
  ...idsParameter,
  ...fieldsParameter,
  ...afterParameter,
});

export const SimilarQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "The number of similar beats." }),
});

const similarity = {
  similarity: Type.Object({
    score: Type.Number({ minimum: 0, maximum: 1, description: "The similarity. 1 is a perfect match." }),
    tempo_ratio: Type.Number({
      minimum: 0.5,
      maximum: 2,
      description:
        "This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if this beat is about twice as fast.",
    }),
    bpm_difference_percent: Type.Number({
      description:
        "The difference of the tempos in percent, after `tempo_ratio` halves or doubles one of them, with two decimals.",
    }),
    key_relation: Type.Enum(["same", "relative", "adjacent", "other"], {
      description: "The relation of the keys on the circle of fifths. `other` also if a key is unknown.",
    }),
    same_genre: Type.Boolean(),
  }),
};

/** The public details of a single beat. In lists, `ids` or `fields` adds them. */
export const optionalDetails = { ...Type.Partial(Type.Object(detailFields)).properties, ...analysisFields };

/** The names that the `fields` parameter accepts, by form. */
export const beatFieldNames = {
  reference: Object.keys({ ...referenceFields, ...optionalDetails }),
  console: Object.keys({ ...consoleBeatFields, ...optionalDetails }),
};

export const ReferenceBeat = Type.Object(
  { ...referenceFields, ...optionalDetails },
  { $id: "Beat", description: "A beat in a list." },
);
const { updated_at: _, ...updatedDetails } = detailFields;

/** Data of beat.updated. */
export const BeatUpdated = Type.Object(
  {
    ...referenceFields,
    ...updatedDetails,
    ...analysisFields,
    available: Type.Boolean({ description: "Whether a license of the beat is for sale." }),
    changed: Type.Array(Type.String(), { description: "The names of the changed fields." }),
  },
  { $id: "BeatUpdated", description: "A beat with its details, and the names of the changed fields." },
);
export const ConsoleBeat = Type.Object({ ...consoleBeatFields, ...optionalDetails }, { $id: "ConsoleBeat" });
/** A single beat may be a draft of the caller. */
const bpm = Type.Integer({
  minimum: 0,
  description: "The tempo in beats per minute. 0 only for a draft of your own whose tempo is unknown.",
});
export const ReferenceBeatDetail = Type.Object(
  { ...referenceFields, bpm, ...detailFields, ...analysisFields, ...ownFields },
  {
    $id: "BeatDetail",
    description: "A beat with its description, tags and licenses. Your own beats have their status, too.",
  },
);
export const ConsoleBeatDetail = Type.Object(
  { ...consoleBeatFields, bpm, ...detailFields, ...analysisFields, ...ownFields },
  { $id: "ConsoleBeatDetail" },
);
const ReferenceSimilarBeat = Type.Object(
  { ...referenceFields, ...similarity },
  { $id: "SimilarBeat", description: "A beat and why it is similar." },
);
const ConsoleSimilarBeat = Type.Object({ ...consoleBeatFields, ...similarity }, { $id: "ConsoleSimilarBeat" });

const listExtras = {
  facets: Type.Optional(Facets),
  missing: Type.Optional(Type.Array(Type.Integer(), { description: "With `ids`: the ids without a public beat." })),
};

export const BeatsResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ beats: Type.Array(ReferenceBeat), pagination: ReferencePagination, ...listExtras }),
  console: Type.Array(ConsoleBeat),
  meta: consoleMetaWith(listExtras, "ConsoleBeatsMeta"),
};

export const BeatResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ beat: ReferenceBeatDetail }),
  console: ConsoleBeatDetail,
};

export const SimilarResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ beats: Type.Array(ReferenceSimilarBeat) }),
  console: Type.Array(ConsoleSimilarBeat),
  meta: true,
};

/** The fields that name the beat in events after which the beat is no longer for sale. */
const beatNameFields = {
  beat_id: Type.Integer(),
  title: Type.String(),
  producer_id: Type.Integer(),
  producer_name: Type.String(),
};

/** `data` of a beat.withdrawn event. */
export const BeatWithdrawal = Type.Object(
  { ...beatNameFields, withdrawn_at: Type.String({ format: "date-time" }) },
  { $id: "BeatWithdrawal", description: "A beat that only its producer still sees." },
);

/** `data` of a beat.taken_down event. */
export const BeatTakedown = Type.Object(
  { ...beatNameFields, taken_down_at: Type.String({ format: "date-time" }) },
  { $id: "BeatTakedown", description: "A beat that the operator of the marketplace removed." },
);

/** `data` of a beat.sold_exclusively event. */
export const ExclusiveSale = Type.Object(
  { ...beatNameFields, sold_at: Type.String({ format: "date-time" }) },
  { $id: "ExclusiveSale", description: "A beat whose exclusive license was sold." },
);

/** `data` of a beat.publishing_failed event. */
export const PublishingFailure = Type.Object(
  {
    beat_id: Type.Integer(),
    title: Type.String(),
    producer_id: Type.Integer(),
    is_on_sale: Type.Boolean({
      description:
        "Whether the beat is on sale. If false, it is a draft, is withdrawn, or its exclusive license is sold.",
    }),
    reason: Type.String({ description: "The reason as a sentence, the same as `rejection` of the beat." }),
  },
  { $id: "PublishingFailure", description: "Why a beat could not be published." },
);

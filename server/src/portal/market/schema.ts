import Type from "typebox";
import { licenseTypes } from "../../resources/beats/licensing/licenses.ts";
import { ReferenceBeatDetail } from "../../resources/beats/schema.ts";
import { fileKinds } from "../../resources/orders/delivery/delivery.ts";

const closed = { additionalProperties: false };

export const MarketOptions = Type.Object(
  {
    currency: Type.String({ description: "Of all prices, by ISO 4217." }),
    provider: Type.Enum(["sandbox", "stripe"], { description: "Who charges new orders." }),
    payment_methods: Type.Array(
      Type.Object(
        { id: Type.String(), does: Type.String({ description: "What comes of it, in a sentence." }) },
        closed,
      ),
      { description: "All methods of the sandbox; empty with Stripe, whose methods are the buyer's own." },
    ),
  },
  closed,
);

const Terms = Type.Object(
  {
    version: Type.String(),
    title: Type.String(),
    blocks: Type.Array(
      Type.Object({ kind: Type.Enum(["heading", "paragraph", "item"]), text: Type.String() }, closed),
      { description: "The whole text, with the names of beat and producer." },
    ),
  },
  { $id: "OfferedTerms", ...closed },
);

export const MarketBeat = Type.Object(
  {
    beat: ReferenceBeatDetail,
    is_own: Type.Boolean({ description: "Nobody buys from themselves." }),
    owned: Type.Array(
      Type.Object(
        {
          license_type: Type.Enum([...licenseTypes]),
          order_id: Type.Integer(),
          status: Type.Enum(["completed", "pending"]),
        },
        closed,
      ),
      { description: "Licenses of the beat that the account has, or is paying for: the newest order of each." },
    ),
    licenses: Type.Array(
      Type.Object(
        {
          type: Type.Enum([...licenseTypes]),
          price: Type.Number(),
          available: Type.Boolean(),
          files: Type.Array(Type.Enum([...fileKinds]), { description: "What it brings if it is bought now." }),
          terms: Terms,
        },
        { $id: "OfferedLicense", ...closed },
      ),
    ),
    unprintable: Type.Array(Type.String(), {
      description:
        "Characters of the title, the producer's or the account's name that the PDF certificate prints as boxes; at most ten.",
    }),
  },
  closed,
);

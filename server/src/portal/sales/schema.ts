import Type from "typebox";
import { SaleSchema, SalesQuery } from "../../resources/orders/sales/schema.ts";

const closed = { additionalProperties: false };
const amount = Type.Number({ description: "At most two decimals." });

export const SalesPageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1, description: "Page number, from 1." }),
  from: SalesQuery.properties.from,
  to: SalesQuery.properties.to,
  beat: SalesQuery.properties.beat,
});

export const SalesPage = Type.Object(
  {
    sales: Type.Array(
      Type.Object(
        {
          ...SaleSchema.properties,
          license_url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
            description: "The public page of the license; null until it is issued.",
          }),
        },
        { $id: "PortalSale", ...closed },
      ),
      { description: "Newest first, 20 a page." },
    ),
    page: Type.Integer(),
    last_page: Type.Integer(),
    sums: Type.Array(
      Type.Object(
        {
          currency: Type.String({ description: "ISO 4217." }),
          sales: Type.Integer(),
          sold: amount,
          refunded: amount,
          net: amount,
        },
        closed,
      ),
      { description: "Of all sales that the filters pass, on all pages: one for each currency, none without sales." },
    ),
  },
  closed,
);

export const SoldBeats = Type.Object(
  {
    beats: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() }, closed), {
      description: "Last sold first, at most 200.",
    }),
  },
  closed,
);

import Type from "typebox";
import { fileKinds } from "../../resources/orders/delivery/delivery.ts";
import { OrderFiles } from "../../resources/orders/delivery/schema.ts";
import { OrderSchema } from "../../resources/orders/schema.ts";

const closed = { additionalProperties: false };

export const LibraryQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1, description: "Page number, from 1." }),
});

/** An order as the API answers it, with what only the library shows. */
const LibraryOrder = Type.Object(
  {
    ...OrderSchema.properties,
    is_refunded: Type.Boolean({ description: "In full: it has no files any more." }),
    downloads: Type.Array(
      Type.Object({ kind: Type.Enum([...fileKinds]), downloaded_at: Type.String({ format: "date-time" }) }, closed),
      { description: "Each file that was downloaded, with the first time." },
    ),
  },
  { $id: "LibraryOrder", ...closed },
);

export const Library = Type.Object(
  {
    orders: Type.Array(LibraryOrder, { description: "Newest first, 10 a page." }),
    page: Type.Integer(),
    last_page: Type.Integer(),
    total: Type.Integer(),
  },
  closed,
);

export const LibraryFiles = OrderFiles;

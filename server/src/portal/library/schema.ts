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
    cover_image: Type.String({ format: "uri", description: "The beat's cover as it is now." }),
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

export const ReceiptSchema = Type.Object(
  {
    order: OrderSchema,
    buyer: Type.Object(
      { name: Type.String(), email: Type.Union([Type.String(), Type.Null()]) },
      { ...closed, description: "The account, as it is now. Organisations have no address." },
    ),
    payment: Type.Object(
      {
        provider: Type.String({ description: "The provider that took the payment; `sandbox` takes none." }),
        reference: Type.Union([Type.String(), Type.Null()], { description: "The payment's id there." }),
      },
      closed,
    ),
  },
  { $id: "Receipt", ...closed },
);

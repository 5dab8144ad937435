import { money, timestamp } from "@beatmarket/http/formats.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type, { type Static } from "typebox";
import {
  codePattern,
  type Discount,
  discountStates,
  effectKinds,
  stateOf,
} from "../../resources/discounts/discount.ts";
import {
  createDiscount,
  type DiscountFields,
  endDiscount,
  listDiscounts,
} from "../../resources/discounts/discounts.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time" });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** The fields that a producer sets. */
const fields = {
  name: Type.String({ minLength: 1, maxLength: 80, description: "The name that buyers read." }),
  kind: Type.Enum([...effectKinds]),
};

/** The optional fields. */
const choices = {
  code: Type.Optional(
    Type.String({
      pattern: codePattern.source,
      description: "The code that buyers enter. Without one the discount applies by itself.",
    }),
  ),
  percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  amount: Type.Optional(Type.Number({ minimum: 0.01, maximum: 21_474_836.47, multipleOf: 0.01 })),
  pack_size: Type.Optional(Type.Integer({ minimum: 2, maximum: 10 })),
  pack_paid: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  valid_from: Type.Optional(time),
  valid_until: Type.Optional(time),
  max_uses: Type.Optional(count),
  max_uses_per_buyer: Type.Optional(count),
  beat_ids: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 200, uniqueItems: true })),
  license_types: Type.Optional(Type.Array(Type.Enum([...licenseTypes]), { minItems: 1, uniqueItems: true })),
};

const NewDiscount = Type.Object({ ...fields, ...choices }, closed);

const DiscountSchema = Type.Object(
  {
    id: Type.Integer(),
    ...fields,
    code: orNull(Type.String()),
    percent: orNull(Type.Integer()),
    amount: orNull(Type.Number()),
    pack_size: orNull(Type.Integer()),
    pack_paid: orNull(Type.Integer()),
    valid_from: orNull(time),
    valid_until: orNull(time),
    max_uses: orNull(Type.Integer()),
    max_uses_per_buyer: orNull(Type.Integer()),
    beat_ids: orNull(Type.Array(Type.Integer())),
    license_types: orNull(Type.Array(Type.Enum([...licenseTypes]))),
    uses_count: Type.Integer({ description: "The number of purchases with this discount." }),
    state: Type.Enum([...discountStates]),
    created_at: time,
  },
  { $id: "Discount", ...closed },
);

const DiscountId = Type.Object({ discount_id: Type.Integer() });
const OneDiscount = Type.Object({ discount: DiscountSchema }, closed);
const Discounts = Type.Object(
  {
    discounts: Type.Array(DiscountSchema, { description: "The newest discount comes first. Ended ones are included." }),
    currency: Type.String(),
  },
  closed,
);

const discountJson = (discount: Discount, nowMs: number): Static<typeof DiscountSchema> => ({
  id: discount.id,
  name: discount.name,
  kind: discount.kind,
  code: discount.code,
  percent: discount.percent,
  amount: discount.amount_cents === null ? null : money(discount.amount_cents),
  pack_size: discount.pack_size,
  pack_paid: discount.pack_paid,
  valid_from: discount.valid_from && timestamp(discount.valid_from),
  valid_until: discount.valid_until && timestamp(discount.valid_until),
  max_uses: discount.max_uses,
  max_uses_per_buyer: discount.max_uses_per_buyer,
  beat_ids: discount.beat_ids,
  license_types: discount.license_types,
  uses_count: discount.uses_count,
  state: stateOf(discount, nowMs),
  created_at: timestamp(discount.created_at),
});

const fieldsOf = (body: Static<typeof NewDiscount>): DiscountFields => ({
  name: body.name,
  kind: body.kind,
  code: body.code ?? null,
  percent: body.percent ?? null,
  amount_cents: body.amount === undefined ? null : Math.round(body.amount * 100),
  pack_size: body.pack_size ?? null,
  pack_paid: body.pack_paid ?? null,
  valid_from: body.valid_from === undefined ? null : new Date(body.valid_from),
  valid_until: body.valid_until === undefined ? null : new Date(body.valid_until),
  max_uses: body.max_uses ?? null,
  max_uses_per_buyer: body.max_uses_per_buyer ?? null,
  beat_ids: body.beat_ids ?? null,
  license_types: body.license_types ?? null,
});

const tag = "Studio";

/** The account's discounts (docs/discounts.md). */
export const discountRoutes = (currency: string): PortalRoute[] => [
  portalRoute({
    operationId: "listDiscounts",
    permission: "studio:read",
    method: "GET",
    path: "/studio/discounts",
    tag,
    summary: "List the account's discounts",
    response: Discounts,
    handle: async ({ db, account, clock }) => ({
      discounts: (await listDiscounts(db, account.userId)).map((discount) => discountJson(discount, clock.nowMs())),
      currency,
    }),
  }),
  portalRoute({
    operationId: "createDiscount",
    permission: "studio:write",
    method: "POST",
    path: "/studio/discounts",
    tag,
    summary: "Create a discount: a code, or one that applies by itself",
    status: 201,
    body: NewDiscount,
    response: OneDiscount,
    refusals: [409],
    handle: async ({ db, account, clock, body }) => {
      const now = new Date(clock.nowMs());
      const discount = await createDiscount(db, { userId: account.userId, fields: fieldsOf(body), now });
      return { discount: discountJson(discount, clock.nowMs()) };
    },
  }),
  portalRoute({
    operationId: "endDiscount",
    permission: "studio:write",
    method: "POST",
    path: "/studio/discounts/:discount_id/end",
    tag,
    summary: "End a discount; open checkouts keep their price",
    params: DiscountId,
    response: OneDiscount,
    handle: async ({ db, account, clock, params }) => {
      const now = new Date(clock.nowMs());
      const discount = await endDiscount(db, { userId: account.userId, id: params.discount_id, now });
      return { discount: discountJson(discount, clock.nowMs()) };
    },
  }),
];

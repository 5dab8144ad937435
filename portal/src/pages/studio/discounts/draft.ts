import type { DiscountFields } from "./discount-queries.ts";

export const kinds = [
  { value: "percent", label: "studio.percentKind" },
  { value: "amount", label: "studio.amountKind" },
  { value: "pack", label: "studio.packKind" },
  { value: "ownership", label: "studio.ownershipKind" },
] as const;

export const types = ["basic", "premium", "unlimited", "exclusive"] as const;

/** The values of the form. Numbers are texts as typed, except `amount`. */
export interface Draft {
  name: string;
  code: string;
  kind: (typeof kinds)[number]["value"];
  percent: string;
  amount: number | null;
  /** A pack is `size` licenses for the price of `paid`. */
  size: string;
  paid: string;
  types: (typeof types)[number][];
  /** The ids of beats; empty for all beats. */
  beats: number[];
  from: string | undefined;
  until: string | undefined;
  maxUses: string;
  perBuyer: string;
}

export const emptyDraft: Draft = {
  name: "",
  code: "",
  kind: "percent",
  percent: "",
  amount: null,
  size: "3",
  paid: "2",
  types: [],
  beats: [],
  from: undefined,
  until: undefined,
  maxUses: "",
  perBuyer: "",
};

/** The request body: the fields of the kind, and other fields that are not empty. */
export function fieldsOf(draft: Draft): DiscountFields {
  const {
    name,
    code,
    kind,
    percent,
    amount,
    size,
    paid,
    types: licenseTypes,
    beats,
    from,
    until,
    maxUses,
    perBuyer,
  } = draft;
  return {
    name: name.trim(),
    kind,
    ...(code.trim() !== "" && { code: code.trim() }),
    ...(kind === "percent" && { percent: Number(percent) }),
    ...(kind === "amount" && amount !== null && { amount }),
    ...(kind === "pack" && { pack_size: Number(size), pack_paid: Number(paid) }),
    ...(from !== undefined && { valid_from: from }),
    ...(until !== undefined && { valid_until: until }),
    ...(maxUses !== "" && { max_uses: Number(maxUses) }),
    ...(perBuyer !== "" && { max_uses_per_buyer: Number(perBuyer) }),
    ...(beats.length > 0 && { beat_ids: beats }),
    ...(licenseTypes.length > 0 && { license_types: licenseTypes }),
  };
}

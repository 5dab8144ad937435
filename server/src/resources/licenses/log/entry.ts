import { hash } from "node:crypto";
import { timestamp } from "@beatmarket/http/formats.ts";

// The content of the leaves of the license log (docs/license-log.md, Leaves). Pure.

const leafKinds = ["sold", "refunded", "reinstated", "returned", "taken_down", "restored", "lost"] as const;
export type LeafKind = (typeof leafKinds)[number];

/** A published leaf. */
export interface Leaf {
  v: 1;
  kind: LeafKind;
  /** The time at which the fact was logged; never before the time of an earlier leaf. */
  time: string;
  beat?: number;
  /** In `sold`, `refunded` and `reinstated`: whether the license is exclusive. */
  exclusive?: boolean;
  /** In `sold`: the time at which the order was placed. */
  placed?: string;
  /** In `sold`: SHA-256 of the salt and the opening, in lower-case hex. */
  commitment?: string;
  /** In `refunded` and `reinstated`: the leaf of the sale, if there is one. */
  of?: number | null;
  /** In `lost`: the lost leaves, from `from` up to but not including `to`. */
  from?: number;
  to?: number;
}

/** The facts of a sale. Its holder shows them with the salt to prove which leaf belongs to the license. */
export interface Sale {
  beatId: number;
  type: string;
  termsSha256: string;
  purchasedAt: Date;
}

/** The text whose commitment is in the leaf. */
export const openingOf = ({ beatId, type, termsSha256, purchasedAt }: Sale): string =>
  JSON.stringify({ beat: beatId, type, terms_sha256: termsSha256, purchased_at: timestamp(purchasedAt) });

export const commitmentOf = (opening: string, salt: Uint8Array): string =>
  hash("sha256", Buffer.concat([salt, Buffer.from(opening)]));

export const encodeLeaf = (leaf: Leaf): Buffer => Buffer.from(JSON.stringify(leaf));

/** Parses a leaf. Null for a text that is not a leaf of this version. */
export function decodeLeaf(entry: Buffer): Leaf | null {
  try {
    const leaf = JSON.parse(entry.toString()) as Leaf;
    const isKnown = leaf?.v === 1 && leafKinds.includes(leaf.kind) && !Number.isNaN(Date.parse(leaf.time));
    return isKnown ? leaf : null;
  } catch {
    return null;
  }
}

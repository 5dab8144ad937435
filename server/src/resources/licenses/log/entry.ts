import { hash } from "node:crypto";
import { timestamp } from "@beatmarket/http/formats.ts";

// What the leaves of the license log say (docs/license-log.md, Leaves). Pure.

const leafKinds = ["sold", "refunded", "reinstated", "returned", "taken_down", "restored", "lost"] as const;
export type LeafKind = (typeof leafKinds)[number];

/** A leaf as it is published. */
export interface Leaf {
  v: 1;
  kind: LeafKind;
  /** When the fact was logged; never before that of an earlier leaf. */
  time: string;
  beat?: number;
  /** Of `sold`, `refunded` and `reinstated`. */
  exclusive?: boolean;
  /** Of `sold`: when the order was placed. */
  placed?: string;
  /** Of `sold`: SHA-256 of the salt and the opening, in lower-case hex. */
  commitment?: string;
  /** Of `refunded` and `reinstated`: the leaf of the sale, where there is one. */
  of?: number | null;
  /** Of `lost`: the leaves from the first of these up to the second, without it. */
  from?: number;
  to?: number;
}

/** What the holder of a license shows, and the salt with it, to prove that a leaf is theirs. */
export interface Sale {
  beatId: number;
  type: string;
  termsSha256: string;
  purchasedAt: Date;
}

/** The text that a commitment is of. */
export const openingOf = ({ beatId, type, termsSha256, purchasedAt }: Sale): string =>
  JSON.stringify({ beat: beatId, type, terms_sha256: termsSha256, purchased_at: timestamp(purchasedAt) });

export const commitmentOf = (opening: string, salt: Uint8Array): string =>
  hash("sha256", Buffer.concat([salt, Buffer.from(opening)]));

export const encodeLeaf = (leaf: Leaf): Buffer => Buffer.from(JSON.stringify(leaf));

/** Null for what is no leaf of this version. */
export function decodeLeaf(entry: Buffer): Leaf | null {
  try {
    const leaf = JSON.parse(entry.toString()) as Leaf;
    const isKnown = leaf?.v === 1 && leafKinds.includes(leaf.kind) && !Number.isNaN(Date.parse(leaf.time));
    return isKnown ? leaf : null;
  } catch {
    return null;
  }
}

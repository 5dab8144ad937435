// The place of a license in a Bitstring Status List (W3C, version 1.0; docs/licenses.md, Checking many at once).

/** The meaning of the two bits of a license, by value. */
export const statuses = ["valid", "refunded", "replaced", "expired"] as const;
export type ListedStatus = (typeof statuses)[number];

/** The entries of one list. The specification requires at least as many, so that an index reveals little. */
export const entriesOfList = 131_072;
export const bitsOfEntry = 2;

export const statusListUrl = (publicUrl: string, list: number): string => `${publicUrl}/licenses/status/${list}`;

/** The entry of a license in a list, as its certificate names it. */
export function statusEntry(statusIndex: number, publicUrl: string) {
  const statusListCredential = statusListUrl(publicUrl, Math.floor(statusIndex / entriesOfList));
  const statusListIndex = String(statusIndex % entriesOfList);
  return {
    id: `${statusListCredential}#${statusListIndex}`,
    type: "BitstringStatusListEntry",
    statusPurpose: "message",
    statusListIndex,
    statusListCredential,
    statusSize: bitsOfEntry,
    statusMessage: statuses.map((message, value) => ({ status: `0x${value.toString(16)}`, message })),
  };
}

export type StatusEntry = ReturnType<typeof statusEntry>;

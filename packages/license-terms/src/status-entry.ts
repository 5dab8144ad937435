// The place of a license in a Bitstring Status List (W3C, version 1.0; docs/licenses.md, Checking many at once).

/** The status for each value of a license's two bits. */
export const statuses = ["valid", "refunded", "replaced", "expired"] as const;
export type ListedStatus = (typeof statuses)[number];

/** The number of entries of one list: the minimum of the specification, so that an index reveals little. */
export const entriesOfList = 131_072;
export const bitsOfEntry = 2;

export const statusListUrl = (publicUrl: string, list: number): string => `${publicUrl}/licenses/status/${list}`;

/** Returns the entry of a license in a list, in the format of the certificate. */
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

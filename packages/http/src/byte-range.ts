/** Bytes of a representation, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part a Range header asks for (RFC 9110 14.2): null when the whole is to be sent, because there is no such header,
 * it is in another unit, malformed, or asks for several parts at once; "unsatisfiable" when nothing of it exists.
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(?:(\d{1,15})\s*)?$/i.exec(header ?? "") ?? [];
  if (from === "") {
    if (to === "") return null;
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== "" && Number(to) < first) return null;
  if (first >= size) return "unsatisfiable";
  return { first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}

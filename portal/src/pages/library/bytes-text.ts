import { locale } from "../../api/locale.ts";

const units = ["bytes", "kB", "MB", "GB"];

/** A size as file managers show it, in powers of 1000: 4240112 → "4.2 MB". */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${locale.number(size, { maximumFractionDigits: unit === 0 || size >= 99.95 ? 0 : 1 })} ${units[unit]}`;
}

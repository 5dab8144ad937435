import { execFileSync } from "node:child_process";

/** Global setup: titles of the demo catalogue are Japanese, and pictures without such a font would show boxes. */
export default function requireFonts(): void {
  if (execFileSync("fc-list", [":lang=ja", "family"], { encoding: "utf8" }).trim() !== "") return;
  throw new Error("Pictures need a font with Japanese; on Debian: apt-get install fonts-wqy-microhei");
}

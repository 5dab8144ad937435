import { execFileSync } from "node:child_process";

/** Global setup: fails without a Japanese font, because pictures would show titles of the demo catalogue as boxes. */
export default function requireFonts(): void {
  if (execFileSync("fc-list", [":lang=ja", "family"], { encoding: "utf8" }).trim() !== "") return;
  throw new Error("Pictures need a font with Japanese; on Debian: apt-get install fonts-wqy-microhei");
}

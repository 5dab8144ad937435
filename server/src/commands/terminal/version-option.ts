import { Option } from "commander";
import { versionDates } from "../../access/versions.ts";

/** `--api-version`, since `--version` is the program's. */
export const versionOption = (description: string): Option =>
  new Option("--api-version <date>", description).choices(versionDates);

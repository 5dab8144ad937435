import type { ClientInterface } from "./interface/types.ts";

/** A generated file. */
export interface GeneratedFile {
  /** From the folder clients/. */
  path: string;
  text: string;
}

/** What writes the generated files of a language. */
export interface Emitter {
  /** Folders in which every file is generated, from clients/, with a slash at the end. */
  folders: readonly string[];
  files(api: ClientInterface): GeneratedFile[];
}

import type { ClientInterface } from "./interface/types.ts";

/** A generated file. */
export interface GeneratedFile {
  /** The path relative to clients/. */
  path: string;
  text: string;
}

/** Generates the files of a language. */
export interface Emitter {
  /** Folders that contain only generated files, relative to clients/ and with a final slash. */
  folders: readonly string[];
  files(api: ClientInterface): GeneratedFile[];
}

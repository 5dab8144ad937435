import type { Document } from "./interface/document.ts";
import { clientInterface } from "./interface/interface.ts";
import type { ClientInterface } from "./interface/types.ts";
import { javascript } from "./javascript/javascript.ts";
import { php } from "./php/php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";

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

const emitters: readonly Emitter[] = [javascript, php, python, ruby];

/** Folders in which every file is generated, from clients/. */
export const generatedFolders: readonly string[] = emitters.flatMap(({ folders }) => folders);

/** All generated files of the client libraries. Throws an Error that names what a client cannot express. */
export function generate(document: Document): GeneratedFile[] {
  const api = clientInterface(document);
  return emitters.flatMap((emitter) => emitter.files(api));
}

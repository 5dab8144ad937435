import { cli } from "./cli/cli.ts";
import type { Emitter, GeneratedFile } from "./emitter.ts";
import { go } from "./go/go.ts";
import type { Document } from "./interface/document.ts";
import { clientInterface } from "./interface/interface.ts";
import { javascript } from "./javascript/javascript.ts";
import { php } from "./php/php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";

const emitters: readonly Emitter[] = [javascript, php, python, ruby, go, cli];

/** Folders that contain only generated files, relative to clients/. */
export const generatedFolders: readonly string[] = emitters.flatMap(({ folders }) => folders);

/** All generated files of the client libraries. Throws an Error that names what a client cannot express. */
export function generate(document: Document): GeneratedFile[] {
  const api = clientInterface(document);
  return emitters.flatMap((emitter) => emitter.files(api));
}

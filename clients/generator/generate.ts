import type { Document } from "./interface/document.ts";
import { clientInterface } from "./interface/interface.ts";
import type { ClientInterface } from "./interface/types.ts";
import { ruby } from "./ruby/ruby.ts";

/** A generated file. */
export interface GeneratedFile {
  /** From the folder clients/. */
  path: string;
  text: string;
}

/** One for each language. */
type Emitter = (api: ClientInterface) => GeneratedFile[] | Promise<GeneratedFile[]>;

const emitters: Emitter[] = [ruby];

/** Folders in which every file is generated, from clients/; with a slash at the end. */
export const generatedFolders: string[] = ["ruby/lib/beatmarket/generated/"];

/** All generated files of the client libraries. Throws an Error that names what a client cannot express. */
export async function generate(document: Document): Promise<GeneratedFile[]> {
  const api = clientInterface(document);
  return (await Promise.all(emitters.map((emit) => emit(api)))).flat();
}

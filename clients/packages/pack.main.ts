import { packAll } from "./pack.ts";

// `node clients/packages/pack.main.ts FOLDER`: puts the packages of the libraries and of the command line into a folder.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder: node clients/packages/pack.main.ts FOLDER");
await packAll(folder);

